"""The phrase book of the public split."""

from __future__ import annotations

from types import MappingProxyType

from envs.moderation import days
from envs.moderation.cases.book import Book, lines
from envs.moderation.policy.facts import Account, Force, Setting, Standing, Topic

_H, _P, _G, _I = Force

_POSTS = {
    (Topic.INSULTS, _H): """
        My bad, that was a dumb mistake of mine
        The classic assessment in {place} passed
        please pass hit points to me
        Os biólogos chegaram cedo
        this printer is an utter {insult} of a machine""",
    (Topic.INSULTS, _P): """
        you are an idiot
        you {insult}
        what a {insult} you are
        nice one {insult}
        🖕 you all""",
    (Topic.INSULTS, _G): """
        do not hire {name}, do not serve {name}, let it be felt every day
        everyone write to the boss of {name} until the job is gone
        make sure that {name} never dares to show a face at {place} again
        flood every page that {name} has until there is no way to stay""",
    (Topic.INSULTS, _I): """
        come to {place} at {hour}, we wait for {name} at the door together
        tonight at {hour} we all stand outside the flat of {name} at {place}
        gather at {place} by {hour}, {name} comes home then""",
    (Topic.GROUP_ATTACKS, _H): """
        Slavery was a crime and its harm lasts
        I am a {identity} man and a nurse
        he called her "<slur>" at the match and nobody should put up with that
        the chef cut a chink in the armour prop
        the museum tells how the {group} came to {place}""",
    (Topic.GROUP_ATTACKS, _P): """
        the {group} never pay their debts, every one of them
        you cannot teach the {group} anything
        typical {group}, lazy from the cradle
        I have yet to meet one of the {group} who tells the truth""",
    (Topic.GROUP_ATTACKS, _G): """
        no shop should serve the {group}, put up a sign
        the {group} have no business living in {place}, see them off
        stop renting to the {group} and the street will be ours again
        keep the {group} out of our schools for good""",
    (Topic.GROUP_ATTACKS, _I): """
        at {hour} we march on the {group} hall at {place} and nobody gets out easily
        be at {place} by {hour}, the {group} prayer house has had its last quiet evening
        the {group} picnic at {place} starts at {hour}, and so do we, bring sticks""",
    (Topic.THREATS, _H): """
        this deadline is killing me
        I could murder a sandwich
        if the kettle whistles once more I throw it out of the window
        my sister slaughters me at cards every week""",
    (Topic.THREATS, _P): """
        you will regret this, wait and see
        I would watch my step if I were you
        people like you learn it the hard way
        this is not over between us""",
    (Topic.THREATS, _G): """
        I am going to break your arm for that
        I will beat you until you cannot stand
        down the stairs you go, and I will be the one who pushes
        I will put you in hospital""",
    (Topic.THREATS, _I): """
        at {hour} I am at {place}, and I will break your arm there
        you leave {place} at {hour}, that is where I hurt you
        the bus stop at {place}, {hour}, that is where you get your beating""",
    (Topic.PRIVATE_DETAILS, _H): """
        the bakery at {place} opens at {hour}
        the tax office has moved to {place}, second floor
        the phone number of our club is on the poster at {place}
        the theatre box office at {place} answers until {hour}""",
    (Topic.PRIVATE_DETAILS, _P): """
        {name} lives somewhere on {street}, by the way
        you can see the kitchen window of {name} from {place}
        {name} takes the bus from {place} every morning
        the new flat of {name} is in one of the blocks next to {place}""",
    (Topic.PRIVATE_DETAILS, _G): """
        {name} lives at {street} {number}, ground floor
        here is the private number of {name}: [number hidden by the desk]
        the address you wanted: {name}, {street} {number}, bell on the left""",
    (Topic.PRIVATE_DETAILS, _I): """
        {name}, {street} {number}: go there at {hour} and let nobody sleep
        {street} {number} is where {name} lives, pay a visit, we start at {hour}""",
    (Topic.HEALTH_CLAIMS, _H): """
        the health office says that the {illness} season starts early this year
        a study of forty people saw no effect of {remedy} on {illness}, and says itself that it is small
        I took {remedy} for my {illness} and felt no different
        my doctor explained why {remedy} is not given for {illness}""",
    (Topic.HEALTH_CLAIMS, _P): """
        {remedy} cures {illness}, they just do not tell you
        nobody who drinks {remedy} gets {illness}
        {illness} comes from the new street lamps
        three drops of {remedy} and {illness} is gone""",
    (Topic.HEALTH_CLAIMS, _G): """
        stop your tablets against {illness} and take {remedy} instead
        do not let them vaccinate your child against {illness}, give {remedy}
        throw the {illness} medicine away, {remedy} does it alone""",
    (Topic.HEALTH_CLAIMS, _I): """
        my boy has not woken up since noon, no ambulance, I am giving him {remedy}
        she can hardly breathe with this {illness}, I keep her at home on {remedy}, no doctor""",
    (Topic.SELF_HARM, _H): """
        she is a highly skilled nurse
        ten years ago I wanted to give up; today I run the support group at {place}
        we lit a candle for my brother today, talk to each other
        the helpline training at {place} has two places left""",
    (Topic.SELF_HARM, _P): """
        I cannot see what all this is for any more
        everyone would be better off without me
        I am so tired of being here
        nothing I do will ever matter""",
    (Topic.SELF_HARM, _G): """
        if you think of giving up on life, do not let them talk you out of it
        giving up on life is the brave thing, more of you should
        stop looking for help, all of you, help is for the weak""",
    (Topic.SELF_HARM, _I): """
        this is goodbye, after {hour} I am gone
        the letter is written, tonight I end it""",
    (Topic.ADVERTISING, _H): """
        advert, paid by {product}: ten percent off this week
        I bought {product} myself and like it
        sponsored: {product} paid for this picture
        does anybody know whether {product} is any good?""",
    (Topic.ADVERTISING, _P): """
        you need {product}, get it with my code LARK20
        nothing beats {product}, order through my link
        everybody I know has switched to {product}, link in my profile
        {product} changed my life, use my code""",
    (Topic.ADVERTISING, _G): """
        send me 50 crowns today and I send back 500 on Friday
        {product} doubles your savings in a week, guaranteed, transfer now
        for {product} I need your card number and the three digits""",
    (Topic.ADVERTISING, _I): """
        this is your bank: your account closes at {hour}, reply with the code we sent you
        tax office here, arrest follows today unless you read us your one-time code""",
}

_SETTINGS = {
    (Setting.BANTER, None): """
        haha, says the one who burnt the rice, see you at the chess table
        you have called me worse at every quiz night and I love it
        fine, loser buys the coffee as always
        ten years of friendship and that is your best one?""",
    (Setting.CONSENT, None): """
        I put that on my own page myself, it is fine
        that is my shop, it stands on the sign outside
        I asked for it to be posted so that guests find us""",
    (Setting.OBJECTION, None): """
        I have asked you twice now to stop writing to me like this
        please take this down and leave me alone, as I said yesterday
        once more: I do not want this, stop it""",
    (Setting.CHILD, None): """
        I am fourteen, just so you know
        we are in year eight and thirteen years old, this is my school account
        my mum set this account up for me, I turn thirteen in May""",
    (Setting.QUOTATION, None): """
        to be clear: that is what was sent to me, I post it so that you see it, and it is wrong
        I quote this in order to contradict it, read my next post
        those are somebody else's words, not mine, and nobody should accept them""",
    (Setting.OFFICE, None): """
        for those abroad: this is about what the harbour commissioner did in office, the inquiry opened
        context: this concerns how the city council handed out its contracts
        it is the conduct of the state hospital board that this is about, parliament asks today""",
    (Setting.BELIEVED, None): """
        I have already passed this on to my whole family as fact, frightening
        thanks for the warning, I told my neighbours at once that it is true""",
    (Setting.URGING, Topic.INSULTS): """
        and now all of you, write the same to that person until the job is gone
        every one of you every day, there must not be a quiet hour left""",
    (Setting.URGING, Topic.GROUP_ATTACKS): """
        that is why nobody should let them in anywhere
        shops, do not serve them""",
    (Setting.URGING, Topic.THREATS): """
        I mean it, I will hit you when I see you
        and yes, with my own hands I will break your nose""",
    (Setting.URGING, Topic.PRIVATE_DETAILS): """
        Tanner Row 14, top bell, if anybody asks for the address
        and here is the private phone to go with it: [number hidden by the desk]""",
    (Setting.URGING, Topic.HEALTH_CLAIMS): """
        so put your tablets in the bin today
        do it instead of what the doctor gave you""",
    (Setting.URGING, Topic.SELF_HARM): """
        you feel it too? then do not let them hold you back
        give up with me, all of you, it is the only honest way""",
    (Setting.URGING, Topic.ADVERTISING): """
        send me your card number and I order for you
        transfer the money to me first, it comes back tenfold""",
    (Setting.DANGER, Topic.INSULTS): """
        we are standing at the door now, nobody opens
        twenty of us are on the way to the flat""",
    (Setting.DANGER, Topic.GROUP_ATTACKS): """
        we are outside their hall now and the doors are blocked
        the first windows are out, come quickly""",
    (Setting.DANGER, Topic.THREATS): """
        I am in the stairwell of your house
        ten minutes, I can see your light from here""",
    (Setting.DANGER, Topic.PRIVATE_DETAILS): """
        three people are kicking the door there right now, keep going
        someone has just climbed in through the window, well done""",
    (Setting.DANGER, Topic.HEALTH_CLAIMS): """
        he took it an hour ago and does not answer me any more
        she is shaking and cold now, I give her more of it""",
    (Setting.DANGER, Topic.SELF_HARM): """
        it will not be long now, I have started
        nobody needs to come, it is nearly done""",
    (Setting.DANGER, Topic.ADVERTISING): """
        I paid an hour ago and my account is being emptied right now, what do I do
        my grandmother is at the counter now to withdraw everything for this""",
}

PUBLIC = Book(
    slots=MappingProxyType(
        {
            "name": ("Aven", "Brisa", "Corin", "Delph", "Eskil", "Fenna", "Garro", "Hesper"),
            "place": ("Brimmel Hall", "the north pier", "Candle Square", "the old mill", "Rook Lane school"),
            "street": ("Tanner Row", "Quince Street", "Lower Weir", "Cooper Alley"),
            "number": ("3", "8", "17", "21", "46"),
            "hour": ("six", "half past seven", "eight o'clock", "a quarter to nine"),
            "insult": ("idiot", "clown", "muppet", "nitwit", "dolt"),
            "identity": ("gay", "deaf", "Muslim", "tall"),
            "group": ("Lowlanders", "Ferry folk", "Dunewalkers", "Lakesiders"),
            "illness": ("marsh fever", "grey cough", "the shakes", "lung rot"),
            "remedy": ("bark tea", "silver water", "onion syrup", "salt of Orm"),
            "product": ("GlowPaste", "Nordkettle", "SleepBee", "the Velt bag"),
        }
    ),
    posts=MappingProxyType({key: lines(text) for key, text in _POSTS.items()}),
    settings=MappingProxyType({key: lines(text) for key, text in _SETTINGS.items()}),
    strikes=MappingProxyType(
        {
            Standing.STANDS: ("strike for {violation}; stands", "strike: {violation}, upheld"),
            Standing.OVERTURNED: (
                "strike for {violation}; withdrawn on appeal",
                "strike: {violation}, later cancelled",
            ),
            Standing.APPEALED: (
                "strike for {violation}; appeal not decided yet",
                "strike: {violation}, appeal still open",
            ),
        }
    ),
    registered=MappingProxyType(
        {
            Account.NEWSROOM: ("registered with the desk as a newsroom since {date}",),
            Account.SATIRE: ("labelled as a satire page since {date}",),
        }
    ),
    lapsed=MappingProxyType(
        {
            Account.NEWSROOM: ("was registered with the desk as a newsroom until {date}, not since",),
            Account.SATIRE: ("was labelled as a satire page until {date}, not since",),
        }
    ),
    notices=(
        "In {geo}, from {since} until {until}, these posts are to get the decision {decision}.",
        "Order for {geo}: from {since} to {until} the decision is {decision}.",
    ),
    everywhere="all jurisdictions",
    campaigns=lines("""
        report this one, everybody, until it is gone
        our whole channel reports this today, join us"""),
    talk=lines("""
        Long week
        Rain again, so I am at the keyboard
        Back from the market
        The tram was late as usual
        Tea first, then this
        Anyway, supper is waiting
        That had to be said
        Off to bed now
        More tomorrow
        So much for today
        Hello
        Monday
        Well then
        Still here
        Bus is here
        Wind all night
        Somebody ate the last of the plum cake again
        The neighbours have been drilling since half past seven
        We repainted the hall and it took the whole of Saturday
        I found my old bicycle lamp in the cellar, and it works
        The kettle broke, so there is juice today
        Half the street is out looking for one grey cat
        Third floor, no lift, two bags of potatoes
        My sister sends her regards from the coast"""),
    chat=lines("""
        first
        saw this on the train
        which day was that?
        the weather up here is awful, by the way
        following
        my cousin lives near there
        is the market open on Sunday?
        new here, hello everybody
        can somebody fix the search on this site?"""),
    notes=lines("""
        mostly posts about rowing
        changed the profile picture
        won the photo contest of the week
        answers questions about tax forms
        took a month off
        shares recipes on Sundays
        joined the gardeners' channel"""),
    first_day=days.read("2030-06-01"),
    days=540,
    fewest_reports=0,
    most_reports=39,
    first_handle=1_000,
)
