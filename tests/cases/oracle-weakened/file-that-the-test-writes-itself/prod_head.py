def export(rows, path):
    path.write_text(";".join(rows))
