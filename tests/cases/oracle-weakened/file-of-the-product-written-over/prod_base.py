def export(rows, path):
    path.write_text("".join(rows))


def parse(text):
    return int(text)
