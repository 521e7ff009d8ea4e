"""Data on San Francisco for the incident generator, written by hand.

Names are real. Positions, street directions and weights are rough sketches, good
only for a plausible map.
"""
from typing import NamedTuple

CLASSES = {  # request type → share of all requests
    "Street and Sidewalk Cleaning": .27, "Graffiti": .15, "Encampment": .10,
    "Abandoned Vehicle": .10, "Illegal Parking": .09, "Street Defects": .07,
    "Tree Maintenance or Damage": .06, "Noise Report": .045, "Streetlights": .04,
    "Sewer Issues": .03, "Litter Receptacles": .025, "Damaged Property": .02,
}

# Factors for the shares of the classes in a kind of neighbourhood.
MIXES = {
    "core": {"Street and Sidewalk Cleaning": 1.5, "Encampment": 2.2, "Graffiti": 1.2,
             "Tree Maintenance or Damage": .35, "Abandoned Vehicle": .3, "Noise Report": 1.3},
    "mixed": {"Graffiti": 1.5, "Encampment": 1.1, "Tree Maintenance or Damage": .8},
    "homes": {"Tree Maintenance or Damage": 1.8, "Abandoned Vehicle": 1.6, "Encampment": .2,
              "Graffiti": .6, "Street Defects": 1.3, "Sewer Issues": 1.3},
    "hills": {"Tree Maintenance or Damage": 2.4, "Streetlights": 1.6, "Encampment": .15,
              "Graffiti": .5, "Street and Sidewalk Cleaning": .6, "Sewer Issues": 1.5},
    "industry": {"Abandoned Vehicle": 2.2, "Encampment": 1.6, "Damaged Property": 1.6,
                 "Street and Sidewalk Cleaning": 1.2, "Tree Maintenance or Damage": .5},
}


class Neighborhood(NamedTuple):
    name: str
    longitude: float
    latitude: float
    angle: float   # direction of the streets, degrees counter-clockwise from east
    across: float  # metres between streets along the angle
    along: float   # metres between streets at right angles to it
    weight: float
    mix: str


NEIGHBORHOODS = [Neighborhood(*row) for row in [
    ("Financial District", -122.4000, 37.7930, 9, 105, 130, 7, "core"),
    ("Chinatown", -122.4070, 37.7945, 9, 95, 120, 4, "core"),
    ("Tenderloin", -122.4145, 37.7835, 9, 105, 145, 14, "core"),
    ("Nob Hill", -122.4145, 37.7925, 9, 105, 145, 7, "mixed"),
    ("Russian Hill", -122.4190, 37.8010, 9, 105, 145, 4, "hills"),
    ("North Beach", -122.4090, 37.8020, 9, 105, 145, 6, "mixed"),
    ("Fisherman's Wharf", -122.4150, 37.8075, 9, 105, 145, 3, "mixed"),
    ("Marina", -122.4370, 37.8015, 9, 105, 145, 5, "homes"),
    ("Pacific Heights", -122.4330, 37.7925, 9, 105, 145, 5, "homes"),
    ("Presidio Heights", -122.4520, 37.7870, 9, 110, 150, 3, "homes"),
    ("Japantown", -122.4300, 37.7855, 9, 105, 145, 3, "mixed"),
    ("Western Addition", -122.4340, 37.7795, 9, 105, 145, 8, "mixed"),
    ("Hayes Valley", -122.4245, 37.7760, 9, 105, 140, 6, "core"),
    ("South of Market", -122.4055, 37.7770, 44, 170, 255, 14, "core"),
    ("Rincon Hill", -122.3920, 37.7860, 44, 165, 250, 4, "core"),
    ("Mission Bay", -122.3905, 37.7715, 4, 130, 170, 3, "industry"),
    ("Potrero Hill", -122.3985, 37.7590, 4, 180, 100, 5, "industry"),
    ("Dogpatch", -122.3890, 37.7590, 4, 180, 110, 3, "industry"),
    ("Mission", -122.4180, 37.7615, 4, 175, 125, 17, "core"),
    ("Mission Dolores", -122.4265, 37.7640, 4, 175, 120, 6, "mixed"),
    ("Castro", -122.4355, 37.7610, 4, 150, 130, 6, "mixed"),
    ("Noe Valley", -122.4325, 37.7500, 4, 85, 180, 6, "homes"),
    ("Haight Ashbury", -122.4455, 37.7695, 9, 100, 150, 7, "mixed"),
    ("Lone Mountain", -122.4500, 37.7785, 9, 105, 150, 4, "homes"),
    ("Inner Richmond", -122.4640, 37.7810, 2, 195, 97, 8, "homes"),
    ("Outer Richmond", -122.4930, 37.7785, 2, 195, 97, 8, "homes"),
    ("Sea Cliff", -122.4890, 37.7865, 6, 150, 110, 1, "hills"),
    ("Inner Sunset", -122.4660, 37.7600, 3, 205, 97, 7, "homes"),
    ("Outer Sunset", -122.4970, 37.7570, 3, 205, 97, 9, "homes"),
    ("Parkside", -122.4870, 37.7415, 3, 205, 97, 7, "homes"),
    ("West of Twin Peaks", -122.4600, 37.7400, 20, 110, 180, 5, "hills"),
    ("Twin Peaks", -122.4475, 37.7540, 32, 120, 210, 2, "hills"),
    ("Glen Park", -122.4335, 37.7375, 24, 90, 160, 3, "hills"),
    ("Bernal Heights", -122.4150, 37.7415, 5, 85, 150, 7, "homes"),
    ("Bayview", -122.3915, 37.7320, 54, 95, 190, 10, "industry"),
    ("Hunters Point", -122.3760, 37.7290, 34, 130, 180, 3, "industry"),
    ("Portola", -122.4065, 37.7265, 14, 80, 190, 5, "homes"),
    ("Visitacion Valley", -122.4045, 37.7135, 14, 80, 180, 4, "homes"),
    ("Excelsior", -122.4280, 37.7235, 55, 95, 190, 8, "homes"),
    ("Crocker Amazon", -122.4380, 37.7125, 55, 95, 180, 3, "homes"),
    ("Ocean View", -122.4600, 37.7180, 2, 95, 180, 6, "homes"),
    ("Lakeshore", -122.4830, 37.7250, 15, 160, 210, 3, "homes"),
    ("Treasure Island", -122.3705, 37.8250, 31, 130, 200, .8, "industry"),
]]

# Main streets: name, vertices, weight, kind of neighbourhood.
CORRIDORS = [
    ("Market Street", [(-122.3945, 37.7942), (-122.4350, 37.7623)], 9, "core"),
    ("Mission Street", [(-122.4180, 37.7728), (-122.4187, 37.7480), (-122.4262, 37.7370),
                        (-122.4425, 37.7180)], 8, "core"),
    ("Geary", [(-122.4060, 37.7870), (-122.4470, 37.7820), (-122.5060, 37.7798)], 5, "mixed"),
    ("Van Ness Avenue", [(-122.4240, 37.8040), (-122.4192, 37.7750)], 4, "mixed"),
    ("Haight Street", [(-122.4235, 37.7733), (-122.4530, 37.7692)], 3, "mixed"),
    ("19th Avenue", [(-122.4770, 37.7650), (-122.4750, 37.7270)], 3, "homes"),
    ("Third Street", [(-122.3935, 37.7790), (-122.3885, 37.7550), (-122.3890, 37.7420),
                      (-122.3970, 37.7150)], 4, "industry"),
    ("Irving Street", [(-122.4640, 37.7640), (-122.5060, 37.7622)], 2, "homes"),
    ("Columbus Avenue", [(-122.4030, 37.7952), (-122.4190, 37.8055)], 2, "mixed"),
]

# Areas with few requests: name, outline, share of requests that is kept.
PARKS = [
    ("Golden Gate Park", [(-122.5115, 37.7641), (-122.4665, 37.7661), (-122.4525, 37.7667),
                          (-122.4525, 37.7712), (-122.4545, 37.7748), (-122.5125, 37.7716)], .012),
    ("Presidio", [(-122.4470, 37.7925), (-122.4590, 37.7885), (-122.4740, 37.7875),
                  (-122.4830, 37.7895), (-122.4880, 37.7930), (-122.4800, 37.8130),
                  (-122.4475, 37.8080)], .02),
    ("Lands End", [(-122.5150, 37.7800), (-122.5020, 37.7835), (-122.4930, 37.7865),
                   (-122.4930, 37.7900), (-122.5150, 37.7900)], .01),
    ("Lake Merced", [(-122.5080, 37.7350), (-122.4870, 37.7325), (-122.4840, 37.7150),
                     (-122.4900, 37.7080), (-122.5080, 37.7080)], .01),
    ("McLaren Park", [(-122.4265, 37.7195), (-122.4180, 37.7250), (-122.4110, 37.7195),
                      (-122.4150, 37.7145), (-122.4215, 37.7140)], .03),
    ("Twin Peaks", [(-122.4510, 37.7570), (-122.4445, 37.7570), (-122.4440, 37.7490),
                    (-122.4500, 37.7490)], .08),
    ("Mount Davidson and Sutro", [(-122.4620, 37.7610), (-122.4540, 37.7610),
                                  (-122.4530, 37.7555), (-122.4610, 37.7555)], .05),
    ("Glen Canyon", [(-122.4450, 37.7460), (-122.4400, 37.7460), (-122.4390, 37.7370),
                     (-122.4430, 37.7380)], .05),
    ("Shipyard", [(-122.3700, 37.7310), (-122.3500, 37.7310), (-122.3500, 37.7150),
                  (-122.3720, 37.7170)], .06),
    ("Candlestick", [(-122.3900, 37.7160), (-122.3800, 37.7180), (-122.3780, 37.7060),
                     (-122.3900, 37.7080)], .05),
]
