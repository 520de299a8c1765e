"""The words that every task draws from."""


def listed(text: str) -> tuple[str, ...]:
    """Return the words of *text*."""
    return tuple(text.split())


def phrases(text: str) -> tuple[str, ...]:
    """Return what stands between the commas of *text*."""
    return tuple(map(str.strip, text.split(",")))


FIRST_NAMES = listed(
    "Ada Bruno Clara Dennis Edith Felix Greta Hugo Ingrid Jonas Karen Leon Mara Nora Oscar Paula "
    "Quentin Rosa Simon Thea Ulrich Vera Walter Xenia Yusuf Zoe Agnes Boris Celia Daniel Elena Frank "
    "Gloria Henrik Irene Jasper Kate Louis Marta Nils Olive Peter Rita Stella Tom Ursula Victor Wendy "
    "Martin Alma"
)
SURNAMES = listed(
    "Adler Brandt Carver Dalton Ellis Fischer Grant Holm Ivers Jansen Keller Lund Morris Novak Olsen "
    "Porter Quinn Reyes Stone Turner Ulrich Vance Weber Young Zeller Archer Barnes Cole Doyle Evans "
    "Foster Gibson Hayes Irving Jordan Knight Lawson Mercer Nolan Owens Parker Rhodes Sutton Thorne "
    "Vaughn Walsh Bishop Drake Frost Hale"
)
STEMS = listed(
    "Ash Birch Cedar Dover Elm Fern Glen Hart Iron Kings Lake Maple North Oak Pine Queens Raven Stone "
    "Thorn Vale West Wolf Amber Black Clear Deer East Fox Gold Green High Holly Long Marsh Mill Red "
    "River Salt Silver White"
)
SITES = listed(
    "Abbey Bridge Chapel Corner Court Cross Dock Ferry Field Gate Garden Harbour Hill Hollow House "
    "Island Landing Lodge Manor Park Point Station Ridge Tower"
)
CITIES = listed(
    "Athens Berlin Boston Bristol Brussels Cairo Chicago Dallas Denver Dublin Geneva Hamburg Helsinki "
    "Houston Leeds Lima Lisbon London Madrid Milan Montreal Munich Naples Oslo Paris Porto Prague "
    "Rome Seattle Seoul Stockholm Sydney Tokyo Toronto Venice Vienna Warsaw Zurich"
)
CODE_WORDS = listed(
    "ANCHOR BADGER BEACON CANDLE COBALT CONDOR COPPER CORAL DRAGON EAGLE FALCON FALLOW FLINT GARNET "
    "GRANITE HARROW HAZEL HERON KESTREL LANTERN LINDEN MAGNET MARBLE MARLIN MEADOW NEEDLE NICKEL "
    "ORCHID OSPREY OTTER PEBBLE PEPPER PLOVER QUARTZ RAVEN SADDLE SALMON SAPPHIRE SHADOW SICKLE "
    "SILVER SPARROW SPRUCE SWALLOW THIMBLE TIMBER TURTLE VIOLET WALNUT WILLOW WINTER"
)
COLOURS = listed("black blue brown green grey orange pink purple red silver white yellow")
MONTHS = listed("January February March April May June July August September October November December")
WEEKDAYS = listed("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
NUMBERS = listed("two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty")
SIDES = listed("north south east west upper lower old new inner outer little long")
OBJECTS = phrases(
    "bell tower, boat shed, boiler room, chart room, clock room, coal bunker, drying room, dye house, "
    "feed barn, fuel tank, grain store, ice house, lamp room, mail room, map cabinet, net store, oil "
    "cellar, paint store, pump house, record vault, repair bay, sail loft, seed store, signal box, tar "
    "shed, tide gauge, tool locker, weigh house, wash house, wool loft"
)

RULES = {
    "first": FIRST_NAMES,
    "surname": SURNAMES,
    "who": ("{first} {surname}",),
    "place": ("{stem} {site}",),
    "stem": STEMS,
    "site": SITES,
    "city": CITIES,
    "colour": COLOURS,
    "month": MONTHS,
    "weekday": WEEKDAYS,
    "number": NUMBERS,
    "thing": ("{side} {object}",),
    "side": SIDES,
    "object": OBJECTS,
    "year": range(1930, 2020),
    "n2": range(10, 100),
    "n3": range(100, 1000),
    "n4": range(1000, 10_000),
    "n5": range(10_000, 100_000),
}
