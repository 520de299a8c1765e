"""The phrases that the filler prose is made of."""

from pytest_context_bench.datasets.needle.words import phrases

RULES = {
    "when": phrases(
        "on a {weekday} in {month}, in {month}, in the {season} of {year}, early in {year}, late in "
        "{month}, {number} days after {event}, {number} weeks before {event}, the day after {event}, in the "
        "middle of {month}, during {event}, one {season} morning, one {weekday} evening, towards the end of "
        "{year}, {number} years later, before the first frost, on the {nth} of {month}, between {month} and "
        "{month}"
    ),
    "late": phrases(
        "an hour late, after dark, when the rain had stopped, at the end of the week, with {number} others, "
        "on foot, when {clause}, by the back road"
    ),
    "nth": phrases(
        "first, second, third, fourth, fifth, sixth, eighth, ninth, tenth, eleventh, twelfth, twentieth"
    ),
    "season": phrases("spring, summer, autumn, winter"),
    "distance": phrases(
        "an hour, two miles, a short walk, half a day, three miles, one stop, a stone's throw, ten minutes"
    ),
    "clause": phrases(
        "the {part} had {broken}, the {goods} were {state}, the {thing} was {state}, {friend} had {done}, "
        "the {body} had promised to {task}, the {body} would not {task}, the {goods} had been {fate}, there "
        "were only {number} {goods} left, nobody had {done} since {event}, it had rained for {number} days, "
        "the road to {stem} {site} was closed, {friend} was away in {city}, the {paper} said otherwise, "
        "{event} was still fresh in the mind, the {part} needed {number} new bolts, the key to the {thing} "
        "had been lost, the {part} could be heard as far as {stem} {site}, the train from {city} did not "
        "run in {month}, half the {goods} belonged to {friend}, the {goods} smelled of {smell}"
    ),
    "task": phrases(
        "count the {goods}, mend the {part}, draw a plan of the {thing}, paint the {part} {colour}, sell "
        "the {goods}, write to the {body}, wait for {friend}, clear out the {thing}, carry the {goods} to "
        "{stem} {site}, measure the {part}, find the owner of the {goods}, put the {goods} in order, learn "
        "how the {part} worked, move the {goods} into the {thing}, speak to the {body}, teach {friend} the "
        "trade, take the {part} apart, look into the matter of the {goods}, store {number} {goods} for the "
        "{season}, see what had become of the {part}, borrow {number} {goods}, fetch the doctor from "
        "{city}, clean the {part} with {smell}, copy the old list of {goods}"
    ),
    "did": phrases(
        "counted the {goods}, mended the {part}, drew a plan of the {thing}, painted the {part} {colour}, "
        "sold {number} {goods} to the {body}, wrote a long letter to the {body}, waited for {friend} in "
        "vain, swept the {thing} from end to end, carried {number} {goods} to {stem} {site}, measured the "
        "{part} with a piece of string, looked for the {goods} in the {thing}, kept a list of the {goods}, "
        "took a room in {city}, slept in the {thing}, argued with the {body} about the {part}, ordered "
        "{number} {goods} from {city}, oiled the {part}, gave the {goods} away, read the {paper} aloud, "
        "made a drawing of the {part}, tied up the {goods} in bundles of {number}, shut the {thing} for the "
        "{season}, built a shelf for the {goods}, asked {friend} about the {part}, learned the names of all "
        "the {goods}, went over the accounts of the {body}, hid the {goods} behind the {part}"
    ),
    "done": phrases(
        "counted the {goods}, mended the {part}, painted the {part}, sold the last of the {goods}, written "
        "to the {body}, cleared the {thing}, carried off the {goods}, taken the {part} to {city}, lent the "
        "{goods} to the {body}, opened the {thing}, seen the {part} at work, slept in the {thing}, paid for "
        "the {goods}, forgotten about the {part}, worked for the {body}, moved the {goods} out of the "
        "{thing}"
    ),
    "broken": phrases(
        "broken, come loose, jammed, frozen, cracked, worn thin, gone missing, been stolen, rusted, sunk a "
        "little, caught fire, been painted over, split down the middle, given way"
    ),
    "fate": phrases(
        "sold, counted again, packed in straw, sent to {city}, left in the rain, given away, stored in the "
        "{thing}, burned, lent to the {body}, lost, found behind the {part}, moved to {stem} {site}, washed "
        "and dried, returned to {friend}, listed by hand"
    ),
    "state": phrases(
        "in good order, half finished, locked, almost empty, full of smoke, damp, newly painted, out of "
        "use, colder than the yard, hard to find, covered in dust, in pieces, warm and dry, under water, "
        "better than expected, older than the house, up for sale, worth very little"
    ),
    "quality": phrases(
        "slow, foolish, clever, too expensive, honest, unlikely, worth the trouble, careless, a little odd, "
        "perfectly fair, out of the question, long overdue, of no use, kind"
    ),
    "smell": phrases("tar, vinegar, soap, paraffin, smoke, salt water, wet wool, lemon, machine oil"),
    "event": phrases(
        "the flood, the long frost, the dock strike, the harvest fair, the second survey, the great storm, "
        "the spring tide, the power cut, the paper shortage, the ferry accident, the boat race, the school "
        "inspection, the fire, the dry summer, the election, the wedding, the opening of the canal, the "
        "closing of the mine, the visit from {city}, the sale of the farm"
    ),
    "body": phrases(
        "harbour board, parish council, county office, school board, water company, ferry line, growers' "
        "union, railway office, fire service, museum trust, lighthouse service, records office, savings "
        "bank, boat club, choir, road committee, hospital fund"
    ),
    "paper": phrases("evening paper, county gazette, visitors' book, parish letter, weekly post, almanac"),
    "part": phrases(
        "east gutter, main valve, cellar door, bell rope, slipway, weather vane, kitchen range, loading "
        "ramp, water tank, signal lamp, stair rail, front gate, drying loft, chimney, clock face, coal "
        "chute, fuse box, hand pump, notice board, well cover, garden wall, winding gear, lower sluice, "
        "rain barrel, side entrance, roof beam, flagpole, iron stove, store cupboard, attic window, post "
        "box, mooring ring, cart shed, oven door, stone step, lift shaft, steam pipe, courtyard lamp, brass "
        "bell, back fence"
    ),
    "goods": phrases(
        "barrels, lamp glasses, seed trays, ledgers, oars, window frames, apple crates, ropes, roof tiles, "
        "wool sacks, church chairs, milk cans, printed forms, spare keys, garden tools, fishing nets, oil "
        "drums, school desks, iron hinges, paper rolls, survey maps, salt bags, fuses, winter coats, "
        "bicycle wheels, glass jars, song books, blankets, candles, cups, coal sacks, copper pipes, planks, "
        "ladders, lanterns, bricks, potatoes, flags, sails, horse collars, wooden boxes, tin plates, "
        "bottles of ink, bags of flour, old newspapers"
    ),
}
