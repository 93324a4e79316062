#!/usr/bin/env bash
# tools/pages/render.sh FOLDER [PAGE...]: what the pages look like: HTML of each, or of those named, and
# with chromium a picture of each in light and in dark. For a look before a pull request; not a test.
# Needs pandoc (apt-get install pandoc chromium).
set -eu
. "$(dirname -- "$0")/../environment.sh"
cd "$(dirname "$0")/../.."

[ $# -gt 0 ] && [ "${1#-}" = "$1" ] || { echo 'usage: tools/pages/render.sh FOLDER [PAGE...]' >&2; exit 2; }
command -v pandoc >/dev/null || { echo 'render.sh: pandoc is missing; on Debian or Ubuntu: apt-get install pandoc' >&2; exit 2; }
for page in "${@:2}"; do
    [ -f "$page" ] || { echo "render.sh: no page $page" >&2; exit 2; }
done
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- ./*.md docs/*.md steps/*/README.md toolbox/README.md toolbox/*/README.md library/README.md simulator/README.md results/README.md results/*/README.md

tools/regular.sh "$@"

# Near to GitHub's own: widths, table lines, colours. The title tells how high the page is.
cat >"$folder/page.html" <<'HTML'
<!doctype html>
<html>
<head>
<meta charset="utf-8">
<base href="file://$page$">
<style>
:root { color-scheme: light dark; --text: #1f2328; --back: #ffffff; --soft: #f6f8fa; --line: #d1d9e0; --link: #0969da }
@media (prefers-color-scheme: dark) { :root { --text: #f0f6fc; --back: #0d1117; --soft: #151b23; --line: #3d444d; --link: #4493f8 } }
body { color: var(--text); background: var(--back); max-width: 854px; margin: 32px auto; padding: 0 32px;
       font: 16px/1.5 "Noto Sans", "DejaVu Sans", sans-serif }
h1, h2 { border-bottom: 1px solid var(--line); padding-bottom: 0.3em }
a { color: var(--link); text-decoration: none }
img { max-width: 100% }
pre, code { background: var(--soft); font-family: monospace; font-size: 85%; line-height: 1.45; border-radius: 6px }
code { padding: 0.2em 0.4em }
pre { padding: 16px; overflow: auto }
pre code { padding: 0; font-size: 100% }
table { border-collapse: collapse; display: block; margin-bottom: 16px; width: max-content; max-width: 100%; overflow: auto }
th, td { border: 1px solid var(--line); padding: 6px 13px }
blockquote { border-left: 4px solid var(--line); margin-left: 0; padding-left: 1em }
</style>
</head>
<body>
$body$
<script>onload = () => { document.title = document.documentElement.scrollHeight }</script>
</body>
</html>
HTML

look() { # HTML file, picture, 0 for dark or 1 for light, height
    chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --allow-file-access-from-files \
        --blink-settings=preferredColorScheme="$3" --window-size="918,$4" --screenshot="$2" "file://$1" >/dev/null 2>&1
}

for page in "$@"; do
    page=${page#./}
    name=$(printf '%s' "${page%.md}" | tr / -)
    pandoc --from gfm --to html5 --no-highlight --standalone --metadata title="$page" \
        --template "$folder/page.html" --variable page="$PWD/$page" "$page" -o "$folder/$name.html"
    command -v chromium >/dev/null || continue
    height=$(chromium --headless --no-sandbox --disable-gpu --allow-file-access-from-files --window-size=918,1000 --dump-dom \
        "file://$folder/$name.html" 2>/dev/null | sed -n 's|.*<title>\([0-9]*\)</title>.*|\1|p')
    look "$folder/$name.html" "$folder/$name-light.png" 1 "${height:-4000}"
    look "$folder/$name.html" "$folder/$name-dark.png" 0 "${height:-4000}"
    echo "$folder/$name.html${height:+, $height pixels}"
done
