"""
A small parcel service: what a parcel weighs, where it goes, what it costs, and what its label says.
"""
