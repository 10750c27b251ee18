package org.aspas.emulab.sim.world;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.aspas.certify.identity.NodeId;
import org.aspas.emulab.sim.world.WorldMap.MillisRange;
import org.aspas.emulab.sim.world.WorldMap.SitePair;
import org.jspecify.annotations.Nullable;

/** Reads a world's file (docs/worlds.md). The first mistake ends the reading, with its line and what would be right. */
public final class WorldReader {
    /** The longest round trip, in ms: a minute. */
    private static final double MOST_MILLIS = 60_000;

    private static final double MOST_MEGABITS = 1_000_000;
    private static final Pattern NODE = Pattern.compile("(appserver|bftserver)-([0-9]|[1-5][0-9]|6[0-3])");
    private static final Set<String> KEYS = Set.of(
            "name",
            "about",
            "sites",
            "networks_ms",
            "round_trips_ms",
            "jitter",
            "bandwidth_mbit",
            "placement",
            "faults");
    private static final Set<String> TIERS = Set.of("appservers", "bftservers", "clients");
    private static final Set<String> EVENTS = Set.of("partition", "slow", "freeze", "kill", "byzantine");

    private final Map<String, Site> sites = new LinkedHashMap<>();
    private final Map<Tiers, MillisRange> networks = new EnumMap<>(Tiers.class);
    private final Map<SitePair, Double> roundTrips = new HashMap<>();
    private final Predicate<String> roles;

    private WorldReader(Predicate<String> roles) {
        this.roles = roles;
    }

    /**
     * Reads a world.
     *
     * @param file its name, for mistakes
     * @param roles whether there is a Byzantine role of this name
     * @throws MalformedFileException with the first mistake
     */
    public static WorldMap read(String file, String text, Predicate<String> roles) throws MalformedFileException {
        return new WorldReader(roles).whole(YamlValue.read(file, text));
    }

    private WorldMap whole(YamlValue file) throws MalformedFileException {
        Map<String, YamlValue> fields = file.fields(KEYS);
        YamlValue name = file.needed(fields, "name");
        sites(fields.get("sites"));
        networks(fields.get("networks_ms"));
        roundTrips(fields.get("round_trips_ms"));
        YamlValue jitter = fields.get("jitter");
        YamlValue bandwidth = fields.get("bandwidth_mbit");
        YamlValue placement = fields.get("placement");
        Map<String, YamlValue> places = placement == null ? Map.of() : placement.fields(TIERS);
        WorldMap world = new WorldMap(
                name.text(),
                file.needed(fields, "about").text(),
                sites,
                networks,
                roundTrips,
                jitter == null ? 0 : jitter.part(),
                bandwidth == null ? 0 : Math.round(bandwidth.number(0.001, MOST_MEGABITS) * 1_000_000),
                places(places.get("appservers")),
                places(places.get("bftservers")),
                places(places.get("clients")),
                faults(fields.get("faults")));
        whole(world, placement == null ? file : placement);
        return world;
    }

    private void sites(@Nullable YamlValue value) throws MalformedFileException {
        if (value == null) {
            return;
        }
        for (Map.Entry<String, YamlValue> site : value.fields().entrySet()) {
            Map<String, YamlValue> fields = site.getValue().fields(Set.of("near", "at"));
            List<YamlValue> at = site.getValue().needed(fields, "at").elements();
            if (at.size() != 2) {
                throw site.getValue().mistake("at takes latitude and longitude, such as [53.35, -6.26]");
            }
            YamlValue near = fields.get("near");
            sites.put(
                    site.getKey(),
                    new Site(
                            site.getKey(),
                            near == null ? "" : near.text(),
                            at.get(0).number(-90, 90),
                            at.get(1).number(-180, 180)));
        }
    }

    private void networks(@Nullable YamlValue value) throws MalformedFileException {
        if (value == null) {
            return;
        }
        Map<String, Tiers> known = new HashMap<>();
        for (Tiers tiers : Tiers.values()) {
            known.put(tiers.key(), tiers);
        }
        for (Map.Entry<String, YamlValue> network : value.fields(known.keySet()).entrySet()) {
            YamlValue.Range millis = network.getValue().range(0, MOST_MILLIS);
            networks.put(known.get(network.getKey()), new MillisRange(millis.low(), millis.high()));
        }
    }

    private void roundTrips(@Nullable YamlValue value) throws MalformedFileException {
        if (value == null) {
            return;
        }
        for (Map.Entry<String, YamlValue> row : value.fields(sites.keySet()).entrySet()) {
            for (Map.Entry<String, YamlValue> cell :
                    row.getValue().fields(sites.keySet()).entrySet()) {
                SitePair pair = SitePair.of(row.getKey(), cell.getKey());
                if (roundTrips.put(pair, cell.getValue().number(0, MOST_MILLIS)) != null) {
                    throw cell.getValue()
                            .mistake("the round trip between " + pair.one() + " and " + pair.other() + " stands twice");
                }
            }
        }
    }

    private List<String> places(@Nullable YamlValue value) throws MalformedFileException {
        List<String> places = new ArrayList<>();
        if (value != null) {
            for (YamlValue place : value.elements()) {
                places.add(site(place));
            }
        }
        return places;
    }

    private String site(YamlValue value) throws MalformedFileException {
        if (!sites.containsKey(value.text())) {
            throw value.mistake(
                    "there is no site " + value.text() + ": known are " + String.join(", ", sites.keySet()));
        }
        return value.text();
    }

    /** Every link that a deployment may have needs a network, or two placed sites with a round trip between them. */
    private void whole(WorldMap world, YamlValue where) throws MalformedFileException {
        for (Tiers tiers : Tiers.values()) {
            if (networks.containsKey(tiers)) {
                continue;
            }
            for (String one : world.places(tiers, true)) {
                for (String other : world.places(tiers, false)) {
                    if (!roundTrips.containsKey(SitePair.of(one, other)) && !one.equals(other)) {
                        throw where.mistake("round_trips_ms has none between " + one + " and " + other);
                    }
                }
            }
            if (world.places(tiers, true).isEmpty()
                    || world.places(tiers, false).isEmpty()) {
                throw where.mistake("networks_ms has no " + tiers.key()
                        + ", so placement needs sites for appservers, bftservers and clients");
            }
        }
    }

    // ---- The timeline ----

    private List<WorldFault> faults(@Nullable YamlValue value) throws MalformedFileException {
        List<WorldFault> faults = new ArrayList<>();
        if (value != null) {
            for (YamlValue fault : value.elements()) {
                faults.add(fault(fault));
            }
        }
        return faults;
    }

    private WorldFault fault(YamlValue value) throws MalformedFileException {
        Set<String> known = new HashSet<>(EVENTS);
        known.addAll(Set.of("at", "for", "by", "role"));
        Map<String, YamlValue> fields = value.fields(known);
        List<String> named = fields.keySet().stream().filter(EVENTS::contains).toList();
        if (named.size() != 1) {
            throw value.mistake("a fault is one of "
                    + String.join(", ", EVENTS.stream().sorted().toList()));
        }
        String kind = named.get(0);
        YamlValue what = value.needed(fields, kind);
        long begins = value.needed(fields, "at").micros();
        if (kind.equals("byzantine")) {
            return misbehave(begins, what, value.needed(fields, "role"));
        }
        long ends = begins + value.needed(fields, "for").micros();
        return switch (kind) {
            case "freeze" -> new WorldFault.Freeze(begins, ends, node(what));
            case "kill" -> new WorldFault.Kill(begins, ends, node(what));
            case "slow" -> {
                List<Group> two = groups(what, 2, 2);
                yield new WorldFault.SlowLink(
                        begins,
                        ends,
                        two.get(0),
                        two.get(1),
                        value.needed(fields, "by").micros());
            }
            default -> new WorldFault.Partition(begins, ends, groups(what, 2, Integer.MAX_VALUE));
        };
    }

    private WorldFault misbehave(long begins, YamlValue who, YamlValue role) throws MalformedFileException {
        if (!roles.test(role.text())) {
            throw role.mistake("there is no Byzantine role " + role.text());
        }
        NodeId node = node(who);
        if (node.role() != org.aspas.certify.identity.Role.APPSERVER) {
            throw who.mistake("only appservers take Byzantine roles here");
        }
        return new WorldFault.Misbehave(begins, node, role.text());
    }

    private List<Group> groups(YamlValue value, int least, int most) throws MalformedFileException {
        List<Group> groups = new ArrayList<>();
        for (YamlValue element : value.elements()) {
            groups.add(group(element));
        }
        if (groups.size() < least || groups.size() > most) {
            throw value.mistake("this takes " + (least == most ? "" : "at least ") + least
                    + " groups of sites or nodes, such as [[site-1, appserver-2], [site-2]]");
        }
        return groups;
    }

    private Group group(YamlValue value) throws MalformedFileException {
        Set<String> places = new HashSet<>();
        Set<NodeId> nodes = new HashSet<>();
        for (YamlValue member : value.elements()) {
            if (NODE.matcher(member.text()).matches()) {
                nodes.add(node(member));
            } else {
                places.add(site(member));
            }
        }
        return new Group(places, nodes);
    }

    private static NodeId node(YamlValue value) throws MalformedFileException {
        Matcher name = NODE.matcher(value.text());
        if (!name.matches()) {
            throw value.mistake(value.text() + " is no node: nodes are called appserver-0 to 63 and bftserver-0 to 63");
        }
        int index = Integer.parseInt(name.group(2));
        return name.group(1).equals("appserver") ? NodeId.appserver(index) : NodeId.bftserver(index);
    }
}
