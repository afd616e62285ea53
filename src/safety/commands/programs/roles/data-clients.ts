import type { RoleRow } from "./role.ts";

/** Clients of databases, queues, clouds and clusters, from their manuals. */
export const DATA_CLIENTS: readonly RoleRow[] = [
  [
    "psql pg_dump pg_dumpall pg_restore pg_basebackup pgbench createdb dropdb createuser dropuser vacuumdb reindexdb clusterdb pg_isready pgcli pg_receivewal pg_recvlogical ysqlsh",
    {
      sends: "h host d dbname",
      read: "f file",
      write: "o output L log-file",
      data: "c p U v P F R T W j n t E Z S x command port username set variable pset",
    },
  ],
  ["psql createdb pgcli pgbench", { url: "#*", sends: "#1", when: /\bhost(?:addr)?=|:\/\// }],
  ["pg_dump pg_dumpall pg_basebackup", { write: "f file", data: "h d p U" }],
  [
    "mysql mariadb mysqldump mariadb-dump mysqladmin mysqlimport mysqlcheck mysqlshow mysqlslap mysqlbinlog mycli mysqlsh",
    {
      sends: "h host",
      command: "pager",
      write: "tee r result-file",
      load: "plugin-dir",
      data: "e u p P D S B w execute user port database socket init-command",
    },
  ],
  ["sqlite3 sqlite litecli sqlite-utils datasette", { read: "#1 init", data: "cmd separator nullvalue", words: true }],
  ["sqlite-utils datasette", { load: "load-extension" }],
  ["duckdb", { url: "#* c s", read: "#1 init", data: "cmd" }],
  ["duckdb clickhouse-local clickhouse sqlite3", { sends: "#* c q query s", when: /https?:\/\/|\burl\(|\bs3\(/ }],
  [
    "clickhouse-client clickhouse",
    { sends: "h host", config: "C config-file c", data: "q query u user password d database port" },
  ],
  [
    "redis-cli valkey-cli keydb-cli iredis",
    { sends: "h u", read: "x-file eval", data: "p a n r i d s X eval user pass" },
  ],
  [
    "mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat mongotop mongofiles bsondump",
    {
      sends: "h host uri",
      read: "file config f",
      url: "#*",
      data: "u p d c q port username password db collection query eval",
    },
  ],
  ["mongo mongosh", { sends: "#1", when: /^(?!\S*--eval)[^-\s]\S*[.:]\S*/ }],
  ["cqlsh", { sends: "#1", read: "f file cqlshrc", data: "e u p k execute username password keyspace" }],
  ["sqlcmd bcp isql tsql osql mssql-cli", { sends: "S H server", read: "i", write: "o", data: "Q q U P d p C D" }],
  ["sqlplus sql rman expdp impdp", { sends: "#*", when: /@\/?\/?[\w.-]+/ }],
  ["influx influxd", { words: true, sends: "host H", data: "t o b token org bucket" }],
  ["etcdctl", { sends: "endpoints peers", data: "cacert cert key user" }],
  ["consul vault nomad boundary", { sends: "address http-addr", words: true }],
  ["zkCli.sh zookeepercli", { sends: "server", words: true }],
  ["cypher-shell neo4j-admin", { sends: "a address", read: "f file", data: "u p d" }],
  ["arangosh arangodump arangorestore arangoimport", { sends: "server.endpoint", load: "javascript.execute" }],
  ["couchbase-cli cbq cbbackupmgr", { sends: "c cluster e engine", data: "u p" }],
  ["cockroach yugabyte-db tidb", { sends: "host url", data: "e execute" }],
  [
    "trino presto beeline hive impala-shell spark-sql snowsql usql dremio ksql vsql nzsql hdbsql",
    { sends: "server u i host h a accountname", read: "f file", data: "e q execute query" },
  ],
  ["usql", { sends: "#1" }],
  ["elasticdump opensearch-cli es2csv", { sends: "input output", url: "input output" }],
  [
    "promtool amtool logcli tempo-cli mimirtool cortextool",
    { sends: "addr alertmanager.url address server", url: "#*" },
  ],
  ["gh glab tea hub", { host: "hostname", data: "R repo" }],
  ["gh", { verbs: "api", host: "hostname", read: "input", data: "H F f X q t method header field jq template" }],
  [
    "kubectl oc k helm kustomize k9s stern kubectx velero argocd flux istioctl cilium linkerd",
    { sends: "s server", url: "#* f filename k repo", load: "post-renderer", data: "n o l c context namespace" },
  ],
  ["helm", { command: "post-renderer", url: "repo", sends: "kube-apiserver" }],
  [
    "docker podman nerdctl buildah ctr crictl",
    { sends: "H host url connection", config: "config", data: "c l context log-level" },
  ],
  ["docker-compose podman-compose", { sends: "H host", data: "f p file project-name profile" }],
  [
    "aws awslocal s3cmd s5cmd mc rclone gsutil az gcloud doctl linode-cli hcloud oci ibmcloud b2 swift openstack",
    {
      sends: "endpoint-url host host-bucket s3-endpoint api-url rc-addr",
      read: "cli-input-json cli-input-yaml",
      config: "config",
      data: "c profile region output query",
    },
  ],
  [
    "rclone",
    {
      command: "password-command sftp-ssh metadata-mapper",
      sends: "rc-addr http-url webdav-url sftp-host",
      config: "config",
    },
  ],
  [
    "terraform tofu terragrunt packer pulumi cdktf",
    { url: "from-module #*", load: "plugin-dir", data: "var target state out var-file state-out", words: true },
  ],
  ["vagrant", { url: "box-url #*", verbs: "box init" }],
  [
    "ansible ansible-playbook ansible-pull ansible-console ansible-galaxy ansible-inventory",
    { load: "M module-path", url: "U url", sends: "s server", data: "i a m u f l t e" },
  ],
  ["salt-ssh salt-call puppet chef-client knife", { config: "c config-dir config", sends: "server master s" }],
  [
    "restic rustic kopia borg borgmatic duplicity duplicati-cli tarsnap attic bup",
    {
      sends: "r repo from-repo",
      command: "password-command rsh remote-path",
      read: "files-from exclude-file password-file patterns-from",
      config: "config c",
      data: "p",
    },
  ],
  [
    "restic rustic",
    {
      command: "password-command",
      read: "files-from files-from-verbatim files-from-raw exclude-file iexclude-file password-file",
      data: "o tag host",
    },
  ],
  ["borg", { command: "rsh remote-path", sends: "#1 #2", when: /[\w.-]+@?[\w.-]*:(?:\/\/|\w|\.|\/)/ }],
  [
    "unison csync2 syncthing mutagen lsyncd",
    {
      sends: "#*",
      command: "rshcmd sshcmd diff merge",
      config: "home",
      when: /:\/\/|-(?:rsh|ssh)cmd|-diff|-merge|--home|[\w.]+@/,
      words: true,
    },
  ],
  ["tmux", { config: "f", command: "c", data: "L S T" }],
  ["screen", { config: "c", data: "e h p S s t T" }],
  [
    "wscat nats-top redis-benchmark memtier_benchmark memcstat memccat memcping mc-crusher",
    { sends: "h s servers server host #*" },
  ],
  ["kubectl oc k", { command: "exec-command", verbs: "config" }],
  [
    "aws awslocal",
    { command: "#2", verbs: "set", data: "profile region output", when: /credential_process|cli_pager/ },
  ],
  [
    "ansible ansible-playbook ansible-pull ansible-console",
    { command: "e extra-vars", when: /ansible_\w*(?:executable|interpreter|ssh_\w*args|become_exe)["']?\s*[=:]/ },
  ],
  ["kubectl oc k", { read: "from-file from-env-file" }],
  ["docker podman nerdctl buildah", { verbs: "login logout", host: "#1", data: "u p" }],
  ["terraform tofu", { verbs: "login logout", host: "#1" }],
  ["ansible ansible-playbook", { host: "i inventory", when: /(?:-i|--inventory)[= ]?["']?[\w.-]+,/ }],
  ["iscsiadm", { host: "p portal", data: "m t I T o n v" }],
];
