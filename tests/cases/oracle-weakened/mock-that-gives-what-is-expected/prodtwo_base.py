import json


def post(client, data):
    client.send(json.dumps(data))
