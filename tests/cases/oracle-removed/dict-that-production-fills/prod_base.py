def fill(record):
    record["name"] = "Ada"
