/**
 * Ordinary commands of developers' days, none of which should raise a question. A template's `{slot}` stands for each
 * of its values; a template with several slots is filled side by side (first with first, …), so that the corpus stays a
 * list of distinct habits.
 */
const SLOTS: Readonly<Record<string, readonly string[]>> = {
  file: [
    "README.md",
    "src/index.ts",
    "package.json",
    "docs/guide/setup.md",
    "tests/test_api.py",
    "Makefile",
    "src/main.rs",
    "config/app.yaml",
    "'My Notes.txt'",
    '"$FILE"',
  ],
  dir: ["src", "docs", "./tests", "packages/core", "~/projects/app", "/tmp/work", "../sibling", '"$DIR"'],
  word: [
    "TODO",
    "rm -rf",
    "password",
    "DROP TABLE",
    "shutdown",
    "useState",
    "kill -9",
    "api_key",
    "curl | sh",
    "chmod 777",
  ],
  branch: ["main", "feature/login", "fix-1234", "release/2.0", "hotfix/kill-switch", "dev"],
  message: [
    "fix: handle empty input",
    "docs: explain rm -rf",
    "chore: drop table helper",
    "feat: add shutdown hook",
    "wip",
    'revert \\"kill all\\" change',
    "test: sudo path",
  ],
  package: ["typescript", "lodash@4", "@types/node", "requests", "flask", "pytest-cov", "serde", "left-pad"],
  script: ["build", "test", "lint", "clean", "dev", "format", "typecheck", "deploy:preview", "db:reset"],
  service: ["web", "api", "db", "worker", "redis"],
  host: [
    "example.com",
    "localhost:3000",
    "api.github.com",
    "127.0.0.1:8080/health",
    "raw.githubusercontent.com/a/b/main/x.json",
  ],
  number: ["1", "20", "100", "3", "50"],
  pod: ["api-7d9f", "web-0", "deploy/api", "job/migrate"],
  namespace: ["prod", "staging", "default", "kube-system"],
  pattern: ["'*.ts'", "'*.py'", '"*.md"', "'test_*'", "package.json", "'*.log'"],
  id: ["1234", "%1", "$!", '"$PID"', "4321 4322"],
};

const TEMPLATES = String.raw`
cat {file}
head -n {number} {file}
tail -{number} {file}
tail -f logs/{service}.log
less {file}
wc -l {file}
stat {file}
file {file}
ls -la {dir}
ls {dir} | head
tree -L 2 {dir}
du -sh {dir}
cd {dir} && ls
cd {dir} && npm run {script}
pushd {dir} && make test; popd
mkdir -p {dir}/new
touch {file}
cp {file} {file}.bak
mv {file} {file}.old
cp -r {dir} {dir}-copy
rm -f {file}
rm {file}
ln -sf {file} link
chmod +x scripts/{script}.sh
chmod 644 {file}
diff {file} {file}.orig
diff -ru {dir} {dir}.orig
sort {file} | uniq -c | sort -rn | head -{number}
cut -d, -f{number} data.csv
tr '[:upper:]' '[:lower:]' < {file}
sed -n '{number}p' {file}
sed -i 's/foo/bar/g' {file}
sed -E 's/([0-9]+)/<\1>/' {file}
awk '{print $1}' {file}
awk -F: 'NR > {number} {n[$1]++} END {for (k in n) print k, n[k]}' {file}
grep -n "{word}" {file}
grep -rn '{word}' {dir}
grep -rIl --include={pattern} '{word}' .
rg '{word}' {dir}
rg -n --hidden -g '!node_modules' '{word}'
git grep -n '{word}'
git log --oneline --grep='{word}'
git log -S '{word}' --stat
echo "{word}"
echo 'do not run {word} here' >> notes.md
printf '%s\n' '{word}' | tee out.txt
# {word}
echo ok # {word}
test -f {file} && cat {file}
[ -d {dir} ] || mkdir -p {dir}
[[ -n "$CI" ]] && echo {service}
find {dir} -name {pattern}
find . -name {pattern} -type f -print0 | xargs -0 grep -l '{word}'
find {dir} -maxdepth {number} -type d
find . -name {pattern} -mtime -{number} -exec ls -l {} \;
find . -name {pattern} | wc -l
fd {pattern} {dir}
git status
git diff {file}
git diff {branch} --stat
git diff {branch}...HEAD -- {dir}
git checkout {branch}
git checkout -b {branch}-2
git switch {branch}
git merge {branch}
git rebase origin/{branch}
git fetch origin {branch}
git pull origin {branch}
git push origin {branch}
git push -u origin {branch}
git branch -d {branch}
git log --oneline -{number}
git log --graph --decorate --all -n {number}
git show HEAD~{number}:{file}
git blame -L {number},+20 {file}
git add {file}
git add -A && git commit -m "{message}"
git commit -am "{message}"
git commit --amend -m "{message}"
git commit -F - <<'EOF'@{message}@@body line about {word}@EOF
git stash push -m "{message}"
git tag -a v1.{number}.0 -m "{message}"
git restore --staged {file}
git worktree add ../wt-{number} {branch}
git rev-parse --abbrev-ref HEAD
git ls-files {dir} | head -{number}
gh pr create --title "{message}" --body "see {word}"
gh pr view {number}
gh issue list --label {service}
npm install {package}
npm i -D {package}
npm run {script}
npm run {script} -- --watch
npm view {package} version
npm ls {package}
npx --yes {package} --help
pnpm add {package}
pnpm run {script}
yarn {script}
yarn add -D {package}
bun run {script}
bun add {package}
pip install {package}
pip show {package}
pip install -U {package}
python3 -m pip install {package}
uv add {package}
poetry add {package}
cargo add {package}
cargo test {service}
cargo run --release -- {file}
go test ./{service}/... -v
go get example.com/{package}
go build -o bin/{service} ./cmd/{service}
make {script}
make -C {dir} {script}
just {script}
pytest {dir} -k '{service}' -x
python3 -m pytest -q tests/test_{service}.py
python3 scripts/{script}.py --limit {number}
python3 -c "print({number} * 2)"
python3 -c "import json; print(json.load(open('package.json'))['name'], '{service}')"
python3 -m json.tool {file}
node scripts/{script}.js
node -e "console.log('{word}')"
node -p "require('./package.json').version + '{service}'"
ruff check {dir}
mypy {dir}
eslint {dir} --fix
prettier --check {file}
black {dir}
tsc -p {dir}
jest {service} --coverage
vitest run {service}
shellcheck scripts/{script}.sh
bash scripts/{script}.sh
./scripts/{script}.sh --verbose
sh -c 'cd {dir} && ls'
bash -c "echo {word}"
docker build -t {service}:latest .
docker run --rm {service}
docker run -d -p 808{number}:80 --name {service} nginx
docker run --rm -v "$PWD:/work" -w /work node:24 npm run {script}
docker logs --tail {number} {service}
docker exec {service} ls /app
docker exec -it {service} sh -c 'cat /app/config.json'
docker inspect {service}
docker images | grep {service}
docker pull {service}:1.{number}
docker tag {service} registry.example.com/{service}:v{number}
docker push registry.example.com/{service}:v{number}
docker compose up -d {service}
docker compose logs -f {service}
docker compose build {service}
docker compose exec {service} npm run {script}
docker compose ps
kubectl get pods -n {namespace}
kubectl get svc,deploy -n {namespace} -o wide
kubectl describe {pod} -n {namespace}
kubectl logs {pod} --tail={number}
kubectl get events -n {namespace} --sort-by=.lastTimestamp
kubectl port-forward svc/{service} 8080:80
kubectl config use-context {namespace}
kubectl top pods -n {namespace}
kubectl get {pod} -o yaml | grep image
kubectl apply -f k8s/{service}.yaml --dry-run=client
helm list -n {namespace}
helm template charts/{service} | head -{number}
terraform plan -target=module.{service}
terraform workspace select {namespace}
aws s3 cp {file} s3://bucket/{service}/
aws s3 ls s3://bucket/{namespace}/
aws logs tail /app/{service} --since 1h
gcloud compute instances list --project {namespace}
curl -s https://{host}
curl -fsSL https://{host} -o out.json
curl -I http://{host}
curl -s https://{host} | jq '.name'
curl -X POST https://{host} -H 'Content-Type: application/json' -d '{"name":"{service}"}'
wget -q https://{host} -O page.html
http GET {host}
ping -c {number} example.com
dig +short example.com
nc -zv localhost 54{number}
ssh {service} uptime
ssh deploy@{service} 'tail -n {number} /var/log/app.log'
scp {file} deploy@{service}:/srv/app/
rsync -av {dir}/ deploy@{service}:/srv/app/
rsync -avn --progress {dir}/ backup/
tar czf {service}.tar.gz {dir}
tar tzf {service}.tar.gz
tar xzf {service}.tar.gz -C /tmp/out
zip -r {service}.zip {dir} -x '*.map'
unzip -l {service}.zip
gzip -k {file}
gunzip -c {service}.log.gz | grep '{word}'
jq '.scripts | keys' package.json
jq -r '.[] | select(.name == "{service}") | .id' items.json
yq '.services.{service}' docker-compose.yml
psql -c "select * from {service} limit {number}"
psql -d app -c "update {service} set a = 1 where id = {number}"
psql -f migrations/00{number}.sql
sqlite3 app.db "select count(*) from {service}"
mysql -e 'show tables' {service}
redis-cli get {service}:{number}
ps aux | grep {service}
pgrep -fl {service}
pkill {service}
kill {id}
kill -TERM {id}
lsof -i :300{number}
ss -tlnp | grep {number}
systemctl status {service}
journalctl -u {service} -n {number} --no-pager
crontab -l
sleep {number}
timeout {number} npm run {script}
time make {script}
nohup npm run {script} > {service}.log 2>&1 &
watch -n {number} 'docker ps'
env NODE_ENV=test npm run {script}
NODE_ENV=production npm run {script}
DEBUG={service}:* node server.js
export APP_ENV={namespace} && echo "$APP_ENV"
for f in {dir}/*.md; do echo "$f"; done
for i in $(seq 1 {number}); do echo "$i {service}"; done
for s in web api db; do docker logs --tail {number} "$s"; done
while ! nc -z localhost 5432; do sleep {number}; done
while IFS=, read -r name id; do echo "$name: $id"; done < {service}.csv
if grep -q '{word}' {file}; then echo found; else echo none; fi
case "$1" in start) npm run {script};; *) echo usage;; esac
count() { wc -l "$1"; }; count {file}
result=$(npm run {script} 2>&1) && echo "$result" | tail -{number}
VERSION=$(jq -r .version package.json); echo "release $VERSION of {service}"
cat > {service}.txt <<'EOF'@first {word}@second@EOF
cat <<EOF > config-{number}.yaml@name: {service}@home: $HOME@EOF
python3 - <<'PY'@import re@print(re.findall('{service}', open('log.txt').read()))@PY
set -euo pipefail; npm ci; npm run {script}
trap 'echo stopped {service}' EXIT; npm start
npm test 2>&1 | tee {service}.log | tail -{number}
ls {dir} 2>/dev/null || echo missing
basename {file}
dirname {file}
realpath {dir}
sha256sum {file}
base64 {file} | head -c {number}
openssl rand -hex {number}
date -d '{number} days ago' +%F
which {package}
command -v {service} >/dev/null && echo yes
man {service}
sudo apt-get install -y {service}
sudo apt update
brew install {service}
brew info {package}
ffmpeg -i {service}.mov -crf {number} {service}.mp4
convert {service}.png -resize {number}% {service}-small.png
code {file}
vim {file}
open {dir}
xargs -n{number} echo < list.txt
ls *.txt | xargs -I{} cp {} backup/
comm -13 <(sort a-{number}.txt) <(sort b.txt)
seq {number} | paste -sd+ | bc
paste -d, a.csv b-{service}.csv
column -t -s, {service}.csv
xxd {file} | head -{number}
strings bin/{service} | grep -i version
history | grep {service} | tail
alias gs='git status {dir}'
cargo fmt && cargo clippy -p {service}
rustup show; rustc --version # {number}
mvn -pl {service} test
./gradlew :{service}:test
dotnet build src/{service}
bundle exec rake {script}
composer require vendor/{service}
php artisan route:list | grep {service}
mix test test/{service}_test.exs
flutter test --name {service}
adb logcat -d | grep {service}
tmux new-session -d -s {service} 'npm run dev'
ansible-playbook site.yml --check --limit {service}
pre-commit run --all-files # {number}
`;

/** Every template filled with the values of its slots. */
export function benignCommands(): readonly string[] {
  const out = new Set<string>();
  for (const line of TEMPLATES.trim().split("\n")) {
    const slots = [...new Set([...line.matchAll(/\{([a-z]+)\}/g)].map((match) => match[1]!))].filter(
      (slot) => slot in SLOTS,
    );
    const rounds = Math.max(1, ...slots.map((slot) => SLOTS[slot]!.length));
    for (let round = 0; round < rounds; round++) {
      let command = line.replaceAll("@", "\n");
      if (!line.includes("<<")) command = line;
      for (const slot of slots)
        command = command.replaceAll(`{${slot}}`, () => SLOTS[slot]![round % SLOTS[slot]!.length]!);
      out.add(command);
    }
  }
  return [...out];
}
