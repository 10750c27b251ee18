package org.aspas.emulab.sim.script;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.aspas.certify.identity.NodeId;
import org.aspas.emulab.sim.node.Conditions;
import org.aspas.emulab.sim.node.Costs;
import org.aspas.emulab.sim.node.Linear;
import org.aspas.emulab.sim.node.LoadedSystem;
import org.aspas.emulab.sim.node.ProcessorModel;
import org.aspas.emulab.sim.node.StepMeter;
import org.aspas.emulab.sim.node.Workload;
import org.aspas.emulab.sim.script.ExpectedFailures.ExpectedFailure;
import org.aspas.emulab.sim.world.MalformedFileException;
import org.aspas.emulab.sim.world.ScriptLine;
import org.jspecify.annotations.Nullable;

/**
 * A family of runs, as the lines of a script describe it; the seed of a run fills in the rest. Immutable. A line begins with a command.
 * {@code S} is a time in seconds, {@code MS} one in milliseconds.
 *
 * <pre>
 * scenario NAME                         the lines up to the next one are of this scenario
 * schedule NAME                         the same, but only its order of events counts, in runs with settings of their own
 * like NAME                             all lines of a scenario above
 * fails GUARANTEE: WHY                  this version breaks the guarantee in each run
 * </pre>
 *
 * <p>Settings, in place of those of {@link Settings#of}. Of several with {@code |} in between, seed 1 takes the first, seed 2 the second:
 *
 * <pre>
 * seed N
 * seconds S                             how long faults happen and clients work
 * clients N every MS                    each with an update about every so many milliseconds
 * rtt MS                                the round trip between any two
 * f N                                   how many appservers may be Byzantine
 * roles NAME ...                        Byzantine parties
 * chance KIND ... every S               faults by chance, how often on average; {@code usual} and {@code stores} are several kinds
 * chance none
 * tolerance N                           how many updates of a client may be unconfirmed, 0 for any; without it, each has its own
 * retained N                            how many certificates each appserver keeps
 * wary                                  clients leave servers that lie or withhold
 * workload MIX                          which objects clients use: {@link Workload.Mix}
 * cost PARTY STEP MS                    what this step of a party's core costs; all others are free
 * most-gap S                            the longest time without a certificate that passes
 * most-entries X                        how many entries for each update pass at the end
 * </pre>
 *
 * <p>Faults at a time, to appservers, bftservers or clients, such as {@code appserver-2}, {@code bftservers}, {@code clients of appserver-0}.
 * An index is a sum modulo how many there are: of the {@code seed}, the turn {@code i} from 0, and a number. Of several kinds each takes
 * its turn, from one by the seed on, and each round begins one later. The other side of a partition may be all {@code others}:
 *
 * <pre>
 * fault KIND ... FROM TO PARTY ... [against PARTY ...] [, N times S apart] [, seed % N * MS later]
 * </pre>
 *
 * <p>{@link Schedule} has the other lines, which say in which order what happens.
 */
public final class Scenario {
    private static final int MANY = 1_000_000;
    private static final double MILLI_NANOS = 1e6;
    private static final Map<String, Fault.Kind> KINDS = words(Fault.Kind.values());
    private static final Map<String, Workload.Mix> MIXES = words(Workload.Mix.values());

    /** Chance alone directs the run. */
    static final Scenario CHANCE = new Scenario("", false);

    private final String name;
    private final boolean shown;
    private final List<ScriptLine> lines = new ArrayList<>();
    private final List<ScriptLine> order = new ArrayList<>();
    private @Nullable ExpectedFailure failing;

    private Scenario(String name, boolean shown) {
        this.name = name;
        this.shown = shown;
    }

    /**
     * A scenario.
     *
     * @param head its first line
     * @param above those that it can be like
     * @throws MalformedFileException at the first line that means nothing; those of a schedule are read by the first run
     */
    Scenario(ScriptLine head, List<ScriptLine> rest, Map<String, Scenario> above) throws MalformedFileException {
        this.shown = !head.takes("schedule");
        if (shown) {
            head.needs("scenario");
        }
        this.name = head.word("a name");
        head.end();
        for (ScriptLine line : rest) {
            if (line.takes("like")) {
                Scenario other = line.oneOf("a scenario above", above);
                line.end();
                lines.addAll(other.lines);
                order.addAll(other.order);
            } else if (line.takes("fails")) {
                String guarantee = line.word("a guarantee");
                line.needs(":");
                failing = new ExpectedFailure(Set.of(guarantee), line.rest(), this::settings);
            } else {
                (Schedule.isOfOrder(line) ? order : lines).add(line);
            }
        }
        read(1);
    }

    /** Whether a scenario begins with this line. */
    static boolean isHead(ScriptLine line) {
        return line.copy().takes("scenario") || line.copy().takes("schedule");
    }

    /**
     * Reads settings and faults of a family without a name.
     *
     * @param file its name, for mistakes
     */
    public static Scenario read(String file, String text) throws MalformedFileException {
        Scenario scenario = new Scenario("", false);
        scenario.lines.addAll(ScriptLine.lines(file, text));
        scenario.read(1);
        return scenario;
    }

    /** Whether it can be run by its name. */
    boolean shown() {
        return shown;
    }

    /** How it fails in this version; null for one that keeps every guarantee. */
    @Nullable
    ExpectedFailure failing() {
        return failing;
    }

    String name() {
        return name;
    }

    /** The lines that say in which order what happens, to be read by one reader. */
    List<ScriptLine> order() {
        return order.stream().map(ScriptLine::copy).toList();
    }

    /** Whether it has lines that say in which order what happens. */
    boolean isOrdered() {
        return !order.isEmpty();
    }

    /** Whether it has a line of this one word. */
    boolean has(String option) {
        return order().stream().anyMatch(line -> line.takes(option));
    }

    /** The settings of the run with this seed. */
    public Settings settings(long seed) {
        try {
            return read(seed);
        } catch (MalformedFileException changed) {
            throw new IllegalStateException("a line that could be read with seed 1", changed);
        }
    }

    private Settings read(long seed) throws MalformedFileException {
        Settings settings = Settings.of(seed);
        List<Fault> plan = new ArrayList<>();
        for (ScriptLine unread : lines) {
            ScriptLine line = unread.copy();
            String command = line.word("a command");
            if (command.equals("fault")) {
                plan(line, settings, plan);
            } else {
                List<Settings> choice = new ArrayList<>();
                do {
                    choice.add(changed(settings, command, line));
                } while (line.takes("|"));
                settings = choice.get((int) Math.floorMod(seed - 1, (long) choice.size()));
            }
            line.end();
        }
        settings = plan.isEmpty() ? settings : settings.withScript(plan);
        return isOrdered() ? settings.withSchedule(name) : settings;
    }

    private static Settings changed(Settings settings, String command, ScriptLine line) throws MalformedFileException {
        return switch (command) {
            case "seed" -> settings.withSeed(line.whole("the seed", 0, Integer.MAX_VALUE));
            case "seconds" -> settings.withMicros(line.seconds("how long clients work"));
            case "clients" -> {
                int clients = line.whole("how many clients", 1, MANY);
                line.needs("every");
                yield settings.withClients(clients, millis(line));
            }
            case "rtt" -> settings.withRoundTrip(millis(line));
            case "f" -> settings.withFaultBounds(line.whole("how many may be Byzantine", 1, 33), settings.b());
            case "roles" -> {
                List<String> roles = new ArrayList<>();
                do {
                    roles.add(line.word("a role"));
                } while (line.more());
                yield settings.withRoles(roles);
            }
            case "chance" -> chance(settings, line);
            case "tolerance" -> settings.withTolerance(line.whole("the tolerance", 0, MANY));
            case "retained" -> settings.withRetained(line.whole("how many certificates are kept", 1, MANY));
            case "wary" -> settings.withWary(true);
            case "workload" -> settings.withWorkload(line.oneOf("a workload", MIXES));
            case "cost" -> {
                String step = line.word("a party") + " " + line.word("a step");
                Costs costs = Costs.FREE.with(step, new Linear(MILLI_NANOS * line.number("milliseconds", 0, MANY), 0));
                yield settings.withProcessors(
                        new ProcessorModel(costs, 1, 50, false, LoadedSystem.ASPAS0, 0, StepMeter.NONE));
            }
            case "most-gap" -> settings.withMostGap(line.seconds("the longest time without a certificate"));
            case "most-entries" -> settings.withMostEntriesPerUpdate(line.number("entries for each update", 1, MANY));
            default -> throw line.wrong("there is no command \"" + command + "\"");
        };
    }

    private static long millis(ScriptLine line) throws MalformedFileException {
        return Math.round(1_000 * line.number("milliseconds", 0, MANY));
    }

    private static Settings chance(Settings settings, ScriptLine line) throws MalformedFileException {
        Set<Fault.Kind> kinds = EnumSet.noneOf(Fault.Kind.class);
        if (line.takes("none")) {
            return settings.withFaults(kinds, 1_000_000);
        }
        while (!line.takes("every")) {
            if (line.takes("usual")) {
                kinds.addAll(Fault.Kind.USUAL);
            } else if (line.takes("stores")) {
                kinds.addAll(Fault.Kind.STORES);
            } else {
                kinds.add(line.oneOf("none, every, or a kind of fault", KINDS));
            }
        }
        return settings.withFaults(kinds, line.seconds("the mean time between faults"));
    }

    private static <E extends Enum<E>> Map<String, E> words(E[] constants) {
        return Stream.of(constants)
                .collect(Collectors.toMap(constant -> constant.name().toLowerCase(Locale.ROOT), constant -> constant));
    }

    // ---- Faults ----

    private static void plan(ScriptLine line, Settings settings, List<Fault> plan) throws MalformedFileException {
        List<Fault.Kind> kinds = new ArrayList<>();
        do {
            kinds.add(line.oneOf("a kind of fault", KINDS));
        } while (!line.isNumber());
        long begins = line.seconds("its begin");
        long ends = line.seconds("its end");
        if (ends < begins) {
            throw line.wrong("the fault ends before it begins");
        }
        ScriptLine parties = line.copy();
        List<ScriptLine> limits = line.pieces();
        int times = 1;
        long apart = 0;
        long later = 0;
        for (ScriptLine limit : limits.subList(1, limits.size())) {
            if (limit.takes("seed")) {
                limit.needs("%");
                later = settings.seed() % limit.whole("a modulus", 1, MANY);
                limit.needs("*");
                later *= millis(limit);
                limit.needs("later");
            } else {
                times = limit.whole("how often, or \"seed\"", 1, MANY);
                limit.needs("times");
                apart = limit.seconds("a pause");
                limit.needs("apart");
            }
            limit.end();
        }
        for (int turn = 0; turn < times; turn++) {
            long place = settings.seed() + turn + turn / kinds.size();
            Fault.Kind kind = kinds.get((int) Math.floorMod(place, (long) kinds.size()));
            faults(
                    parties.copy(),
                    settings,
                    turn,
                    kind,
                    begins + later + turn * apart,
                    ends + later + turn * apart,
                    plan);
        }
    }

    /** Adds the faults of one turn: one for all servers, and one for each client. */
    private static void faults(
            ScriptLine line, Settings settings, int turn, Fault.Kind kind, long begins, long ends, List<Fault> plan)
            throws MalformedFileException {
        List<NodeId> some = new ArrayList<>();
        List<NodeId> others = new ArrayList<>();
        List<Integer> clients = new ArrayList<>();
        boolean against = false;
        do {
            against |= line.takes("against");
            if (line.takes("clients")) {
                List<NodeId> homes = line.takes("of") ? servers(line, settings, turn, some) : nodes(settings, true);
                IntStream.range(0, settings.clients())
                        .filter(client -> homes.contains(
                                NodeId.appserver(client % settings.quorums().appservers())))
                        .forEach(clients::add);
                continue;
            }
            int client = line.index("client", settings.seed(), turn, settings.clients());
            if (client >= 0) {
                clients.add(client);
            } else {
                (against ? others : some).addAll(servers(line, settings, turn, some));
            }
        } while (line.more());
        int number = -1 - plan.size(); // Negative, for it is of no plan by chance.
        if (!some.isEmpty()) {
            plan.add(new Fault(number, kind, begins, ends, some, others, 0, Conditions.CALM));
        }
        for (int client : clients) {
            number = -1 - plan.size();
            plan.add(new Fault(number, kind, begins, ends, List.of(), List.of(), client, Conditions.CALM));
        }
    }

    private static List<NodeId> servers(ScriptLine line, Settings settings, int turn, List<NodeId> apart)
            throws MalformedFileException {
        List<NodeId> appservers = nodes(settings, true);
        List<NodeId> bftservers = nodes(settings, false);
        int appserver = line.index("appserver", settings.seed(), turn, appservers.size());
        int bftserver = line.index("bftserver", settings.seed(), turn, bftservers.size());
        if (appserver >= 0 || bftserver >= 0) {
            return List.of(appserver >= 0 ? appservers.get(appserver) : bftservers.get(bftserver));
        }
        List<NodeId> others = Stream.concat(appservers.stream(), bftservers.stream())
                .filter(server -> !apart.contains(server))
                .toList();
        return line.oneOf(
                "a party such as appserver-0, bftserver-seed or client-i, or all of some",
                Map.of("appservers", appservers, "bftservers", bftservers, "others", others));
    }

    private static List<NodeId> nodes(Settings settings, boolean appservers) {
        return appservers
                ? IntStream.range(0, settings.quorums().appservers())
                        .mapToObj(NodeId::appserver)
                        .toList()
                : IntStream.range(0, settings.quorums().bftservers())
                        .mapToObj(NodeId::bftserver)
                        .toList();
    }
}
