"""tables_machines.py: the systems that tests/machines made, and which of the README's commands ran there."""
from page_markdown import escaped, table
from results import read_rows

COLUMNS = ("machine", "system", "glibc", "compilers", "user", "settings", "command", "typed", "outcome", "commit")


def machines(at):
    """One row for each machine; a command that did not do what it should is bold."""
    by_machine = {}
    for row in read_rows(at.folder, "machines.csv", COLUMNS):
        by_machine.setdefault(row["machine"], []).append(row)
    lines = []
    for name, rows in by_machine.items():
        first = rows[0]
        ran = ", ".join(row["command"] if row["outcome"] == "ok" else f"**{row['command']}: {row['outcome']}**" for row in rows)
        lines.append([name, f"{escaped(first['system'])}, glibc {first['glibc']}", escaped(first["compilers"]),
                      first["user"] + (f", {escaped(first['settings'])}" if first["settings"] != "none" else ""), ran])
    commits = ", ".join(sorted({rows[0]["commit"] for rows in by_machine.values()}))
    return f"What ran there, at commit {commits}:\n\n" + \
        table(["name", "system", "compilers", "user, settings", "what ran"], lines, 5)
