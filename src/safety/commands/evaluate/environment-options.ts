/**
 * Variables that hold options of a program: what these options may be without loading code. A variable is judged by all
 * its words; one that is not understood loads code.
 */
const JVM =
  /^(-X(m[sxn]|ss|log|int|comp|share|debug)\S*|-XX:(?!On|Flags=|VMOptionsFile=|\+?ExtendedDT)[+-]?\w+(=[\w.%]+)?|-D(?!java\.(library|class|ext|security|system)|jdk\.|sun\.|jna\.)[\w.]+(=[\w.,:+-]*)?|-ea|-da|-esa|-server|-client|-showversion|--add-(opens|exports|reads|modules)(=\S+)?|--enable-(preview|native-access=\S+)|--illegal-access=\w+|[\w.]+\/[\w.]+=[\w.,-]+)$/;

const QUIET: ReadonlyMap<string, RegExp> = new Map([
  ["JAVA_TOOL_OPTIONS", JVM],
  ["_JAVA_OPTIONS", JVM],
  ["JDK_JAVA_OPTIONS", JVM],
  [
    "RUBYOPT",
    /^-?-?(W\d|W:[\w-]+|w|v|d|yjit\S*|jit\S*|enable=[\w-]+|disable=[\w-]+|E[\w:-]+|encoding=[\w:-]+|U|Eutf-8|enable-frozen-string-literal|disable-frozen-string-literal)$/i,
  ],
  ["PERL5OPT", /^-?(w|W|T|t|CSDA?|CS\w*|Mstrict|Mwarnings|Mutf8)$/],
  ["PYTHONBREAKPOINT", /^(0|i?pdb\.set_trace|pudb\.set_trace|web_pdb\.set_trace|breakpoint)$/],
  ["PYTHONINSPECT", /^[01]$/],
]);
/** Options of tools in Java that become options of their virtual machine. */
const OF_JAVA =
  /^(MAVEN|GRADLE|SBT|ANT|LEIN_JVM|KAFKA|CATALINA|JAVA|JVM|KOTLIN|SCALA|GROOVY|ES_JAVA|LS_JAVA|JENKINS_JAVA|HADOOP|SPARK_DAEMON_JAVA|SOLR|ACTIVEMQ|TOMCAT|ZK)_(OPTS|ARGS|JVM_OPTS|CLIENT_OPTS|HEAP_OPTS)$|^(MAVEN_ARGS|JAVA_OPTS|JVM_ARGS)$/;
const JVM_LOADS =
  /(^|\s)["']?(-javaagent:|-agent(lib|path):|-XX:On\w+=|-XX:(Flags|VMOptionsFile)=|-Xbootclasspath|-Xrun|-Djava\.(library\.path|system\.class\.loader|ext\.dirs|class\.path)=|@\S)/;

/** Does the value say nothing but what is harmless? `undefined`: the name is none of these. */
export function quietOptions(name: string, value: string): boolean | undefined {
  // Nothing is loaded from there.
  if (value === "/dev/null") return true;
  const quiet = QUIET.get(name);
  if (quiet !== undefined)
    return value
      .trim()
      .split(/\s+/)
      .every((word) => quiet.test(word));
  return OF_JAVA.test(name) ? !JVM_LOADS.test(value) : undefined;
}
