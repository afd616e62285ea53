import assert from "node:assert/strict";
import { test } from "node:test";
import { createKnownMask } from "./known-values.ts";
import { createRedactor } from "./redact.ts";
import { mask } from "./spans.ts";

const redact = createRedactor(createKnownMask(() => []));

/** A secret at `§`. Nothing else in these lines changes. */
const PLACES: readonly string[] = [
  "DB_PASSWORD=§",
  'DB_PASSWORD="§"',
  "export API_TOKEN='§'",
  "export GITHUB_TOKEN=§ && make deploy",
  "set -gx SERVICE_API_KEY §",
  "setenv SERVICE_API_KEY §",
  "set ADMIN_PASSWORD=§",
  'setx ADMIN_PASSWORD "§"',
  '$env:CLIENT_SECRET = "§"',
  "ENV DB_PASSWORD §",
  "ARG NPM_TOKEN=§",
  "  - POSTGRES_PASSWORD=§",
  "  POSTGRES_PASSWORD: §",
  "db.password=§",
  "spring.datasource.password = §",
  "password: §",
  'password: "§"',
  "secret_key: '§'",
  "  apiKey: §  # rotate in May",
  'api_key = "§"',
  "password = '§' # of the test account",
  'password := "§"',
  "'password' => '§',",
  ':api_key => "§"',
  'define("DB_PASSWORD", "§");',
  'os.environ["API_KEY"] = "§"',
  'os.environ.setdefault("API_KEY", "§")',
  'const apiKey: string = "§";',
  "let clientSecret = `§`;",
  'api_key: str = "§"',
  'connect(host="db", password="§", port=5432)',
  'private static final String API_KEY = "§";',
  '{"api_key": "§", "count": 3}',
  '{"user":"bob","password":"§","port":5432}',
  "{'password': '§', 'port': 5432}",
  '{"name": "API_KEY", "value": "§"}',
  "<password>§</password>",
  '<add key="ApiKey" value="§" />',
  "Authorization: Bearer §",
  'curl -H "Authorization: Bearer §" https://api.example.org/v1',
  "curl -H 'X-Api-Key: §' https://api.example.org/v1",
  'headers["X-Api-Key"] = "§"',
  '"Authorization": "Token §"',
  "X-Auth-Token: §",
  "Cookie: theme=dark; session=§; lang=en",
  "Set-Cookie: sid=§; Path=/; HttpOnly",
  "postgres://app:§@db.internal:5432/app",
  "redis://:§@cache:6379/0",
  "tool --password § --verbose",
  "tool --token=§ --verbose",
  "tool --api-key '§' run",
  '["--password", "§"]',
  "mysql -u root -p§ app",
  "sshpass -p § ssh host",
  "curl -u bob:§ https://api.example.org/v1",
  "docker login -u bob -p § registry.example.org",
  "redis-cli -h cache -a § ping",
  "CREATE USER 'app'@'%' IDENTIFIED BY '§';",
  "CREATE ROLE app WITH LOGIN PASSWORD '§';",
  "machine api.example.org login bob password §",
  "Server=db;User Id=app;Password=§;Encrypt=true",
  "grant_type=password&client_secret=§&scope=all",
  "2026-01-02 INFO login user=bob password=§ ip=10.0.0.1",
  "`password`: `§`",
  "# old: DB_PASSWORD=§",
  "+DB_PASSWORD=§",
  "    12|DB_PASSWORD=§",
  "config/.env:3:DB_PASSWORD=§",
  "password: |\n  §\nuser: bob",
  "      client_secret: >-\n        §\n      user: bob",
  'token = """§"""',
  'git config --global hub.token "§"',
];

/** Nothing in these is a secret. */
const NEIGHBOURS: readonly string[] = [
  "",
  "NAME=x",
  "token_count: 5",
  "max_tokens=4096",
  "password_policy: strict",
  "api_key: ${API_KEY}",
  'key = os.environ["API_KEY"]',
  "secret = getSecret()",
  "const token = getToken();",
  "  password: string;",
  "  apiKey: this.apiKey,",
  'api_key=os.getenv("API_KEY")',
  'password = input("Password: ")',
  "AUTH_TOKEN: ${{ secrets.AUTH_TOKEN }}",
  '"token_type": "bearer",',
  "secretName: tls-cert",
  '  credentials: "include",',
  "PASSWORD_MIN_LENGTH=12",
  '"password": "Mot de passe",',
  '"forgotPassword": "Forgot your password?",',
  "login(user=user, password=password)",
  'CONF_API_KEY = "api_key"',
  'if (password === "") return;',
  "password: Optional[str] = None",
  'def login(self, password: str, token: str = "") -> None:',
  "usage: tool --password <password> [--token TOKEN]",
  "The --password option is deprecated.",
  "docker run -p 8080:80 nginx",
  "mkdir -p build/output && ssh -p 2222 host",
  'tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")',
  'key: "value"',
  "primaryKey: true",
  "secretKeyRef:",
  "API_KEY=your-api-key-here",
  "token: null",
  "password = self.password",
  'Authorization: "Bearer ${token}"',
  "POSTGRES_PASSWORD_FILE=/run/secrets/postgres",
  "see https://x.org/z?token=abcdefgh&b=1",
  'password = request.form["password"]',
  "let password = req.body.password;",
  "PWD=/home/bob/project2",
  'curl -u "$USER:$PASS" https://x.org',
  'import { token } from "./token.ts";',
  'access_token = response.json()["access_token"]',
  "token = secrets.token_hex(16)",
  'export API_KEY="$(cat key.txt)"',
  "author: Alice2000",
  'It\'s a token: a unit of text, "as they say".',
  "  // password: the password of the user",
  '"apiKey": "VITE_API_KEY",',
  "headers: { Authorization: token }",
  "C:\\new\\tokens\\readme.txt",
  "regex = /^\\s*password\\s*=\\s*(\\S+)$/",
  "commit 3f786850e387550fdab836ed7e6dc881de23001b",
  "密码长度必须大于 8 位",
];

interface Made {
  readonly text: string;
  readonly expected: string;
}

/** The same numbers for the same seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 0x1_0000_0000) * below);
  };
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Where any sign may be in the secret: in quotes, and in a line of an environment file. */
const takesSigns = (place: string): boolean => /["'`]§["'`]|^(?:export )?\w+=§$/.test(place) && !place.includes("user");

function secretOf(random: (below: number) => number, signs: boolean): string {
  const pick = (from: string): string => from[random(from.length)]!;
  const alphabets = [`${LETTERS}0123456789`, "0123456789abcdef", `${LETTERS}0123456789_-`];
  const alphabet = signs && random(2) === 0 ? `${LETTERS}0123456789!@#^*_+=.:/~?;,&|-` : alphabets[random(3)]!;
  const body = Array.from({ length: 8 + random(30) }, () => pick(alphabet)).join("");
  // A letter, a digit and a letter, so that none is a word or a number.
  return `${pick(LETTERS)}${body}${pick("123456789")}${pick(LETTERS)}`;
}

function make(random: (below: number) => number): Made {
  const lines = Array.from({ length: 1 + random(12) }, (): readonly [string, string] => {
    if (random(2) === 0) {
      const line = NEIGHBOURS[random(NEIGHBOURS.length)]!;
      return [line, line];
    }
    const place = PLACES[random(PLACES.length)]!;
    const secret = secretOf(random, takesSigns(place));
    return [place.replace("§", secret), place.replace("§", mask(secret))];
  });
  const newline = random(4) === 0 ? "\r\n" : "\n";
  const end = random(2) === 0 ? newline : "";
  const [text, expected] = [0, 1].map((at) => lines.map((line) => line[at as 0 | 1]).join(newline) + end);
  return wrapped({ text: text!, expected: expected! }, random);
}

/** As it is, in JSON, in JSON in JSON, in a line of a log, in Python's form, or in a page of `read_file`. */
function wrapped(made: Made, random: (below: number) => number): Made {
  const both = (change: (text: string) => string): Made => ({
    text: change(made.text),
    expected: change(made.expected),
  });
  switch (random(6)) {
    case 0:
      return both((output) => JSON.stringify({ output, exit_code: 0, error: null }));
    case 1:
      return both((content) => JSON.stringify({ result: JSON.stringify({ content }), ok: true }, null, 2));
    case 2:
      return both((text) => `2026-01-02T03:04:05Z INFO ${JSON.stringify({ message: text })} in 3 ms\nnext line`);
    case 3:
      return both((text) => `{'stdout': ${JSON.stringify(text)}, 'returncode': 0}`);
    default:
      return made;
  }
}

// field: F01, F02
test("masking changes only the characters of secrets, wherever they are", () => {
  for (let seed = 1; seed <= 4000; seed++) {
    const { text, expected } = make(randomFrom(seed * 7919));
    assert.equal(redact(text), expected, `seed ${seed}: ${JSON.stringify(text)}`);
    assert.equal(redact(expected), expected, `seed ${seed}: a masked text stays`);
  }
});

// field: F02
test("masks every way to write a name and its value, and leaves lookalikes alone", () => {
  const secret = "hunter2hunter2";
  for (const place of PLACES) assert.equal(redact(place.replace("§", secret)), place.replace("§", "***"));
  for (const line of NEIGHBOURS) assert.equal(redact(line), line);
});
