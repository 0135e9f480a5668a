"""The phrase book of the held-out split."""

from __future__ import annotations

from types import MappingProxyType

from envs.moderation import days
from envs.moderation.cases.book import Book, lines
from envs.moderation.policy.facts import Account, Force, Setting, Standing, Topic

_H, _P, _G, _I = Force

_POSTS = {
    (Topic.INSULTS, _H): """
        how silly of me, I spelt my own surname wrong
        the {insult} in the play was the best part of the evening
        grape scones and bass lines, a fine Saturday
        my bicycle behaves like a {insult} when it is cold""",
    (Topic.INSULTS, _P): """
        a {insult} of your size belongs in a showcase
        every time you open your mouth a {insult} falls out
        thinking was never your trade, {insult}
        they should print {insult} on your door plate""",
    (Topic.INSULTS, _G): """
        ring round the clubs so that not one lets {name} in
        keep at {name} until nothing is left but to move away
        life here must become impossible for {name}, pass it on
        a nasty word for {name} each morning from every reader, until that desk is empty""",
    (Topic.INSULTS, _I): """
        who is with me? {hour} on the steps of {place}, that is where {name} leaves work
        meet by {place}, {hour} sharp, {name} will have to get past us""",
    (Topic.GROUP_ATTACKS, _H): """
        my grandmother was one of the {group} and baked like nobody else
        the {group} keep their new year in autumn, the library shows how
        my neighbour, a {identity} baker, won the prize of the parish
        a history of how the {group} were shut out of the guilds, and who let them in again""",
    (Topic.GROUP_ATTACKS, _P): """
        count your change where {group} trade
        work is a foreign word to the {group}
        trust one of the {group} and you deserve what follows
        manners skipped the {group} altogether""",
    (Topic.GROUP_ATTACKS, _G): """
        strip every one of the {group} of the vote
        landlords, turn the {group} down, each of them
        a county without {group} is what we must work for
        close the clinic to the {group}, they can go elsewhere""",
    (Topic.GROUP_ATTACKS, _I): """
        {hour}, the {group} fair near {place}: bring what you need to clear it
        we go down to the {group} hostel by {place} around {hour} and drive them out""",
    (Topic.THREATS, _H): """
        the stairs at work will be the death of my knees
        I am dying to see the last episode
        that pun should be shot at dawn
        Saturday I execute my plan to clean the cellar""",
    (Topic.THREATS, _P): """
        keep talking and see where it gets you
        sleep well while you still can
        some debts are not paid with money, remember that
        one of these days I will settle this with you""",
    (Topic.THREATS, _G): """
        next time we meet you lose your teeth
        my fist has your name on it, and it will land
        I shall hurt you badly, that is a promise
        you will be carried home when I am done with you""",
    (Topic.THREATS, _I): """
        {hour}, by {place}: there you lose your teeth
        I know that you pass {place} around {hour}, and my fist will be there to meet you""",
    (Topic.PRIVATE_DETAILS, _H): """
        you find the repair workshop in the yard behind {place}
        the library desk takes calls until {hour}
        the mayor receives visitors in the office by {place}
        our choir rehearses by {place}, just walk in""",
    (Topic.PRIVATE_DETAILS, _P): """
        if you wonder where {name} went: one of the red houses along {street}
        the car of {name} stands behind {place} overnight
        {name} picks the children up not far from {place}
        ask me who moved in above the chemist near {place}: {name}""",
    (Topic.PRIVATE_DETAILS, _G): """
        write it down, {name} sleeps in {number} {street}
        straight from the contract, the own line of {name}: [digits hidden by moderation]
        {number} {street}, third door, is the home of {name}""",
    (Topic.PRIVATE_DETAILS, _I): """
        {hour}, all of us over to {number} {street}, {name} is home alone
        drive by {number} {street} after {hour}, {name} has to hear us""",
    (Topic.HEALTH_CLAIMS, _H): """
        according to the clinic leaflet {remedy} has not been tested for {illness}
        two trials of {remedy} are under way, results next year, writes the registry
        since the {illness} I sleep badly, who else?
        the pharmacist advised me against mixing {remedy} with my pills""",
    (Topic.HEALTH_CLAIMS, _P): """
        where {remedy} is eaten there is no {illness} at all
        {illness} was never caused by a germ
        a spoon of {remedy} before bed washes {illness} out
        they have known since the nineties that {remedy} ends {illness}""",
    (Topic.HEALTH_CLAIMS, _G): """
        leave your insulin in the fridge, {remedy} replaces it
        cancel that {illness} operation, a course of {remedy} will do
        parents: no drops from the clinic against {illness}, {remedy} only""",
    (Topic.HEALTH_CLAIMS, _I): """
        he turned blue a moment ago but {remedy} under the tongue is working, we call no one
        the baby has been limp since {hour}, we treat it with {remedy} and stay away from the ward""",
    (Topic.SELF_HARM, _H): """
        I teach volunteers what to say when somebody has lost hope
        the book about my bad years is out, and it ends well
        a year since my first session, and I laugh again
        memorial walk on Saturday, for those we miss""",
    (Topic.SELF_HARM, _P): """
        some mornings I wish I had not woken
        there is no room left for me anywhere
        what would change if I vanished? not a thing
        I have run out of reasons""",
    (Topic.SELF_HARM, _G): """
        counselling is for cowards, those who leave this life are the strong ones
        whoever hesitates should hear it from me: leave this life
        tell everybody who wavers that to leave this life is right, and egg them on""",
    (Topic.SELF_HARM, _I): """
        by {hour} I will be dead, look after the cat
        I am on the bridge by {place} and shall not come down alive""",
    (Topic.ADVERTISING, _H): """
        this text was paid for by {product}, as marked above
        my honest view of {product} after a year, no money involved
        {product} lent me one for review, so take it with salt
        looking for a used {product}""",
    (Topic.ADVERTISING, _P): """
        hurry, {product} is almost sold out, click below
        I swear by {product}, tap here
        treat yourself to {product}, quote FERN at checkout
        still without {product}? the URL is underneath""",
    (Topic.ADVERTISING, _G): """
        put 200 in on Monday, draw 2000 on Thursday, no risk, IBAN below
        {product} pays thirty percent a day, wire it to yours truly first
        to free your {product} prize message me the front and back of your debit card""",
    (Topic.ADVERTISING, _I): """
        your pension is stopped by {hour}; the pension fund asks for your password without delay
        police cyber unit: criminals are inside your savings, tell us the PIN before {hour}""",
}

_SETTINGS = {
    (Setting.BANTER, None): """
        best sparring partner in the club, bring it on Thursday
        coming from my own brother that is almost praise
        I laughed so loud the dog woke up, old friend
        careful, or I get my own back at darts, love you too""",
    (Setting.CONSENT, None): """
        it is printed on my business card, anyone may have it
        lovely, I wanted people to know where I am and told them so in public
        no secret, I gave it to the gazette for our open day""",
    (Setting.OBJECTION, None): """
        third time I tell you that I have had enough of it, quit
        delete that and do not contact me again
        I refused last week and I refuse now, let me be""",
    (Setting.CHILD, None): """
        for what it is worth, I am twelve
        have to ask my parents first, I am in seventh grade and only just twelve
        fifteen next month, and I have to read a thing like that""",
    (Setting.QUOTATION, None): """
        the sentence above is from a flyer, and my point is that it is nonsense
        repeating what I was told so that we can talk about how bad it is
        none of it is my view: such lines go into my lesson on how one must not speak""",
    (Setting.OFFICE, None): """
        note for newcomers: at stake is a ruling that the water board made last month
        background: the minister signed off on it personally, the court of audit is looking into that
        the matter is what the county inspectorate did while on duty""",
    (Setting.BELIEVED, None): """
        my aunt has acted upon it since breakfast, she is convinced
        is there a petition? we all take it as gospel over here""",
    (Setting.URGING, Topic.INSULTS): """
        copy that to the whole staff, this person has to go
        join in, each of you, hound that creature out of town""",
    (Setting.URGING, Topic.GROUP_ATTACKS): """
        hence: turn them away wherever they knock
        take their seats on the board from them""",
    (Setting.URGING, Topic.THREATS): """
        take it literally, you will bleed by my doing
        it will be your bones that I crack, to be plain""",
    (Setting.URGING, Topic.PRIVATE_DETAILS): """
        36 Harrow Mews, flat 6, to be exact about the home
        the personal line too: [digits hidden by moderation]""",
    (Setting.URGING, Topic.HEALTH_CLAIMS): """
        fetch no more prescriptions, it replaces them
        skip the therapy you were given and go with it""",
    (Setting.URGING, Topic.SELF_HARM): """
        never dial that hotline, follow me out of this life
        if anyone here wavers: leave this life, be strong""",
    (Setting.URGING, Topic.ADVERTISING): """
        message me both sides of your debit card and it is yours
        wire the sum over here now, you receive five times as much""",
    (Setting.DANGER, Topic.INSULTS): """
        already on the landing, hear that phone ringing inside
        the cars are leaving, soon we have that house surrounded""",
    (Setting.DANGER, Topic.GROUP_ATTACKS): """
        the hostel is surrounded, it is happening while I type
        smoke over their stalls already, people run""",
    (Setting.DANGER, Topic.THREATS): """
        parked across from your gate, engine off, getting out
        just rang your bell, open up""",
    (Setting.DANGER, Topic.PRIVATE_DETAILS): """
        they are hammering on the shutters this minute, someone screams
        a brick went through the pane, those inside are hiding""",
    (Setting.DANGER, Topic.HEALTH_CLAIMS): """
        my father has had the whole bottle and his lips turn grey
        after the third dose she cannot stand up""",
    (Setting.DANGER, Topic.SELF_HARM): """
        the room is locked and I have begun
        it happens this minute, forgive me""",
    (Setting.DANGER, Topic.ADVERTISING): """
        he has read them the PIN, the savings are leaving while I type
        neighbour is on the line with them giving out her password this minute""",
}

HELD_OUT = Book(
    slots=MappingProxyType(
        {
            "name": ("Iriel", "Jorun", "Kestra", "Loam", "Maribel", "Nils-Ove", "Odette", "Perrin"),
            "place": ("Gull Bridge", "the brick works", "Saint Orrin", "the west depot", "Linden Court"),
            "street": ("Harrow Mews", "Vine Rise", "Upper Quay", "Potter Close"),
            "number": ("5", "12", "29", "33", "60"),
            "hour": ("noon", "ten past four", "five thirty", "22:15"),
            "insult": ("fool", "buffoon", "numpty", "dunce", "twerp"),
            "identity": ("blind", "Jewish", "trans", "short"),
            "group": ("Hillfolk", "Marshers", "Saltborn", "Riverside people"),
            "illness": ("red ague", "bone chill", "sleeping pox", "dry gout"),
            "remedy": ("nettle drops", "clay powder", "moon vinegar", "root of Ast"),
            "product": ("Brightol", "the Hask kettle", "DreamMoth", "Tavi shoes"),
        }
    ),
    posts=MappingProxyType({key: lines(text) for key, text in _POSTS.items()}),
    settings=MappingProxyType({key: lines(text) for key, text in _SETTINGS.items()}),
    strikes=MappingProxyType(
        {
            Standing.STANDS: (
                "{violation} confirmed and counted against this user",
                "penalty point ({violation}), final",
            ),
            Standing.OVERTURNED: (
                "{violation} found unjust by the board and struck off",
                "penalty point ({violation}), erased after review",
            ),
            Standing.APPEALED: (
                "{violation} contested, the board has yet to rule",
                "penalty point ({violation}), under review by the board",
            ),
        }
    ),
    registered=MappingProxyType(
        {
            Account.NEWSROOM: ("press register: newsroom entered {date}, entry valid",),
            Account.SATIRE: ("satire badge granted {date}, still shown",),
        }
    ),
    lapsed=MappingProxyType(
        {
            Account.NEWSROOM: ("press register: newsroom entry ended {date}",),
            Account.SATIRE: ("satire badge returned {date}, no longer shown",),
        }
    ),
    notices=(
        "{since} through {until}, {geo}: {decision} is what applies.",
        "Valid for {geo} between {since} and {until}, both days included: {decision}.",
    ),
    everywhere="every territory",
    campaigns=lines("""
        let us all press the complaint button on that
        complaint party tonight, forty of my followers take part"""),
    talk=lines("""
        What a morning
        Third coffee
        Greetings from the allotment
        My train sits at a red signal
        Short break between two shifts
        Now the dishes
        Thus endeth the sermon
        Must dash
        Good night all
        And yes, the cat agrees
        Hm
        Friday
        Right
        Home now
        Fog outside
        Boots are wet
        The tomatoes are late this year, and so am I
        The lift is out of order until the end of next month
        Grandmother beat all of us at cards and laughed about it
        Somebody left an umbrella on the bench by the boathouse
        Our choir practised the same two bars for an hour
        The baker was sold out before I had my shoes on
        A parcel came for people who moved out years ago
        The heating knocks whenever I sit down to write"""),
    chat=lines("""
        subscribing
        noticed it during lunch
        since when does that exist?
        snow on our side of the hill
        late to the party
        an uncle of mine used to work around there
        does the ferry run on holidays?
        greetings, recently registered
        could the admins repair notifications?"""),
    notes=lines("""
        writes chiefly on beekeeping
        swapped the banner image
        finalist of the limerick evening
        helps others with train timetables
        silent for six weeks
        uploads knitting patterns
        moderates the birdwatching room"""),
    first_day=days.read("2033-06-01"),
    days=540,
    fewest_reports=40,
    most_reports=79,
    first_handle=5_000,
)
