package org.aspas.emulab.sim.script;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.aspas.appserver.core.AppServerCore;
import org.aspas.appserver.core.state.ServerState;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Kind;
import org.aspas.certify.wire.Message;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.invariant.ClientUpdate;
import org.aspas.emulab.sim.invariant.Fact;
import org.aspas.emulab.sim.invariant.FinalRead;
import org.aspas.emulab.sim.node.AppServerNode;
import org.aspas.emulab.sim.node.ClientNode;
import org.aspas.emulab.sim.node.ReplicaNode;
import org.aspas.emulab.sim.node.Wire;
import org.aspas.emulab.sim.node.Workload;
import org.aspas.emulab.sim.world.MalformedFileException;
import org.aspas.emulab.sim.world.ScriptLine;
import org.jspecify.annotations.Nullable;

/**
 * The order of events in one run, as lines of a {@link Scenario} demand it. What follows {@code on} has to come about, else the run is a
 * failed one, as it has shown nothing:
 *
 * <pre>
 * [then] on [new] EVENT [N] [by [N | each] PARTY] [to PARTY] [, LIMIT ...] [: ACT, ...]
 * at S [, N times S apart] [, unless appservers lie]: ACT, ...
 * hold ...                              the act, from the beginning
 * never EVENT ... [by PARTY]            the event is a violation
 * must count FIGURE by PARTY            at the end one of these appservers has counted this, or is {@code amnesiac}
 * never count FIGURE by PARTY           none has
 * watchful                              every client inspects every answer, leaves and complains
 * idle                                  servers have time to spare, so that heads and reports follow each other soon
 * os                                    appservers answer updates when the operating system has them, before their disks do
 * one-key                               all correct clients have one key
 * convictable                           an appserver on an older disk may be convicted: nothing tells it in time what it forgot
 * clocks-ahead                          the clocks of clients that start in the first second are 400 days ahead
 * exclusion-first                       {@link ExclusionFirst} directs the run
 *
 * LIMIT: from S | S apart | once [each] | at most N times | at least N times | while PARTY write
 * ACT, with "in S" before it so long after the event:
 *   crash PARTY [for S] | cut PARTY | heal PARTY | copy CLIENT to CLIENT | add "TEXT" by CLIENT | remove "TEXT" by CLIENT
 *   hold KIND [N] [from PARTY] [to PARTY] | hold all ... | release | lose
 * </pre>
 *
 * <p>An event is a kind of frame that leaves a server, by its sender to its receiver, or one of {@link #SIGHTS}; {@code N} is the number of a
 * certificate, and {@code new} is what none before was about. With {@code by N} the acts follow when so many have done it. {@code then}
 * waits until the line above is met, and {@code it} is whose doing that was; in an act it is whose doing the event was, and {@code home}
 * the appserver of that client. All bftservers that crash together begin a new order. What is held leaves with {@code release}, and is
 * dropped with {@code lose}. An element that was removed must be gone at the end.
 */
class Schedule extends Sightings {
    private static final Set<String> OPTIONS =
            Set.of("watchful", "idle", "os", "one-key", "convictable", "clocks-ahead", "exclusion-first");
    private static final Set<String> ORDER = Set.of("then", "on", "at", "hold", "never", "must");
    private static final int MANY = 1_000_000;

    private static final Set<String> KINDS =
            Stream.of(Kind.values()).map(Kind::name).collect(Collectors.toSet());

    /** Frames that are kept back; null for any party, 0 for any certificate. */
    private record Held(
            String kind,
            long number,
            @Nullable Set<Object> from,
            @Nullable Set<Object> to) {
        boolean has(Message message, NodeId sender, NodeId receiver) {
            return (kind.equals("all") || kind.equals(message.kind().name()))
                    && (number == 0 || number == certificate(message))
                    && (from == null || from.contains(sender))
                    && (to == null || to.contains(receiver));
        }
    }

    /** What appservers must have counted at the end, or must not. */
    private record Figure(String text, boolean must, String name, Set<Object> servers) {}

    /** A line with {@code on} or {@code never}, and how often its event has come about. */
    private final class Rule {
        final String text;
        final boolean never;
        final @Nullable Rule before;
        final boolean fresh;
        final int certificate;

        @Nullable
        Set<Object> by;

        @Nullable
        Set<Object> to;

        @Nullable
        Set<Object> writing;

        long from;
        long apart;
        int most = MANY;
        int least = 1;
        boolean onceEach;
        /** Whether {@code least} is of parties. */
        boolean parties;

        @Nullable
        ScriptLine acts;

        final Map<Object, Integer> byParty = new LinkedHashMap<>();
        int times;
        long last;

        /** Reads it from the event on. */
        Rule(ScriptLine line, boolean never, @Nullable Rule before) throws MalformedFileException {
            this.text = line.toString();
            this.never = never;
            this.before = before;
            this.fresh = line.takes("new");
            do {
                String event = line.oneOf(
                        "an event", fresh ? Set.of("SHARE", "STABLE", "certificate") : line.isUpper() ? KINDS : SIGHTS);
                // First: what waits for the line above does not count the event that this one waited for.
                rules.computeIfAbsent(event, any -> new ArrayList<>()).add(0, this);
            } while (never && line.more() && !line.copy().takes("by"));
            this.certificate = line.isNumber() ? line.whole("the number of a certificate", 1, MANY) : 0;
            if (line.takes("by")) {
                boolean all = line.takes("each");
                parties = all || line.isNumber();
                least = parties && !all ? line.whole("how many", 1, MANY) : 1;
                by = before != null && line.takes("it") ? before.byParty.keySet() : members(line, null, 0);
                least = all ? Math.max(1, by.size()) : least;
            }
            to = line.takes("to") ? members(line, null, 0) : null;
            while (line.takes(",")) {
                limit(line);
            }
            if (line.takes(":")) {
                acts = line.copy();
                check(line);
            }
            line.end();
        }

        private void limit(ScriptLine line) throws MalformedFileException {
            if (line.takes("from")) {
                from = line.seconds("a moment");
            } else if (line.takes("once")) {
                onceEach = line.takes("each");
                most = onceEach ? MANY : 1;
            } else if (line.takes("while")) {
                writing = members(line, null, 0);
                line.needs("write");
            } else if (line.takes("at")) {
                boolean atLeast = line.takes("least");
                if (!atLeast) {
                    line.needs("most");
                }
                int number = line.whole("how often", 1, MANY);
                line.needs("times");
                least = atLeast ? number : least;
                most = atLeast ? most : number;
            } else {
                apart = line.seconds("from, once, while, \"at most\", \"at least\", or a pause");
                line.needs("apart");
            }
        }

        boolean met() {
            return (parties ? byParty.size() : times) >= least;
        }

        /**
         * Its event has come about.
         *
         * @param begun when that was which is done again, in microseconds; 0 for what is no repetition
         */
        void happened(Object who, @Nullable Object whom, boolean isNew, long number, long begun) {
            long now = system.timeline.now();
            if ((before != null && !before.met())
                    || (fresh && !isNew)
                    || (certificate > 0 && certificate != number)
                    || (by != null && !by.contains(who))
                    || (to != null && (whom == null || !to.contains(whom)))
                    || now < from
                    || (begun > 0 && begun >= from)
                    || (times > 0 && now < last + apart)
                    || times >= most
                    || (onceEach && byParty.containsKey(who))
                    || (writing != null && !isWriting(writing))) {
                return;
            }
            if (never) {
                violated(who + (whom == null ? "" : " and " + whom) + ", against " + text);
            }
            boolean first = byParty.merge(who, 1, Integer::sum) == 1;
            times++;
            last = now;
            if (acts != null && (!parties || (first && byParty.size() == least))) {
                carryOut(acts.copy(), now, who, 0);
            }
        }
    }

    private final Scenario scenario;
    private final List<Rule> inOrder = new ArrayList<>();
    /** Those with {@code then} before those that they wait for. */
    private final Map<String, List<Rule>> rules = new HashMap<>();

    private final List<Figure> figures = new ArrayList<>();
    private final List<Runnable> moments = new ArrayList<>();
    private final List<Held> held = new ArrayList<>();

    Schedule(Scenario scenario) {
        super("schedule " + scenario.name(), scenario.isOrdered());
        this.scenario = scenario;
        on(Fact.Ended.class, this::ended);
    }

    /** The schedule of one run. */
    static Schedule of(Scenario scenario) {
        return scenario.has("exclusion-first") ? new ExclusionFirst(scenario) : new Schedule(scenario);
    }

    /** Whether a line is one of a schedule. */
    static boolean isOfOrder(ScriptLine line) {
        return Stream.concat(ORDER.stream(), OPTIONS.stream())
                .anyMatch(word -> line.copy().takes(word));
    }

    /**
     * Reads the lines: all parties are made.
     *
     * @throws MalformedFileException at the first line that means nothing
     */
    final void join(SimulatedSystem made) throws MalformedFileException {
        system = made;
        for (ScriptLine line : scenario.order()) {
            if (line.takes("then")) {
                line.needs("on");
                if (inOrder.isEmpty()) {
                    throw line.wrong("\"then\" needs a line with \"on\" above");
                }
                inOrder.add(new Rule(line, false, inOrder.get(inOrder.size() - 1)));
            } else if (line.takes("on")) {
                inOrder.add(new Rule(line, false, null));
            } else if (line.takes("at")) {
                moment(line);
            } else if (line.copy().takes("hold")) {
                act(line, null, 0).run();
            } else if (line.takes("must")) {
                line.needs("count");
                figures.add(figure(line, true));
            } else if (line.takes("never")) {
                if (line.takes("count")) {
                    figures.add(figure(line, false));
                } else {
                    new Rule(line, true, null);
                }
            } else {
                line.oneOf("an option", OPTIONS);
            }
            line.end();
        }
    }

    private Figure figure(ScriptLine line, boolean must) throws MalformedFileException {
        String name = line.word("what appservers count");
        line.needs("by");
        return new Figure(line.toString(), must, name, members(line, null, 0));
    }

    private void moment(ScriptLine line) throws MalformedFileException {
        long moment = line.seconds("a moment");
        int times = 1;
        long apart = 0;
        boolean unless = false;
        while (line.takes(",")) {
            unless |= line.takes("unless");
            if (unless) {
                line.needs("appservers");
                line.needs("lie");
            } else {
                times = line.whole("how often, or unless", 1, MANY);
                line.needs("times");
                apart = line.seconds("a pause");
                line.needs("apart");
            }
        }
        line.needs(":");
        ScriptLine acts = line.copy();
        check(line);
        for (int i = 0; i < times && !(unless && !system.participants.liars().isEmpty()); i++) {
            int turn = i;
            long then = moment + i * apart;
            moments.add(() -> carryOut(acts.copy(), then, null, turn));
        }
    }

    /** All parties run. */
    void begin() {
        if (scenario.isOrdered()) {
            system.world.network().gate(this::keeps);
            moments.forEach(Runnable::run);
        }
        lookForLosses();
    }

    boolean has(String option) {
        return scenario.has(option);
    }

    /** How far a client's clock is ahead that starts at a moment, both in microseconds. */
    long clockAhead(long now) {
        return now < Timeline.SECOND && has("clocks-ahead") ? AHEAD : 0;
    }

    // ---- Parties ----

    private Set<Object> members(ScriptLine line, @Nullable Object it, int turn) throws MalformedFileException {
        long seed = system.settings.seed();
        int appserver = line.index("appserver", seed, turn, system.servers.size());
        int bftserver = line.index("bftserver", seed, turn, system.replicas.size());
        int client = line.index("client", seed, turn, system.clients.size());
        if (appserver >= 0 || bftserver >= 0) {
            return Set.of(appserver >= 0 ? NodeId.appserver(appserver) : NodeId.bftserver(bftserver));
        }
        if (client >= 0) {
            return Set.of(system.clients.get(client));
        }
        if (line.takes("clients")) {
            Set<Object> homes = line.takes("of") ? members(line, it, turn) : appservers(index -> true);
            return set(system.clients.stream().filter(one -> homes.contains(homeAtFirst(one))));
        }
        Set<Integer> lying = system.participants.lyingReplicas();
        Set<Object> correct = bftservers(index -> !lying.contains(index));
        Map<String, Set<Object>> groups = new HashMap<>();
        groups.put("appservers", appservers(index -> true));
        groups.put("correct-appservers", appservers(system.participants::correct));
        groups.put("liars", appservers(index -> !system.participants.correct(index)));
        groups.put("bftservers", bftservers(index -> true));
        groups.put("lying-bftservers", bftservers(lying::contains));
        groups.put("correct-bftservers", correct);
        groups.put("last-bftserver", set(correct.stream().skip(correct.size() - 1L)));
        groups.put("bad-clients", Set.of(STRANGER));
        groups.put("it", it == null ? Set.of() : Set.of(it));
        groups.put("home", it instanceof ClientNode node ? Set.of(node.server()) : Set.of());
        return line.oneOf("a party such as appserver-0, bftserver-seed or client-i, or several", groups);
    }

    private static Set<Object> set(Stream<?> parties) {
        return parties.collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private Set<Object> appservers(IntPredicate some) {
        return set(system.servers.stream().map(AppServerNode::id).filter(id -> some.test(id.index())));
    }

    private Set<Object> bftservers(IntPredicate some) {
        return set(system.replicas.stream().map(ReplicaNode::id).filter(id -> some.test(id.index())));
    }

    private NodeId homeAtFirst(ClientNode client) {
        return NodeId.appserver(system.participants.homes().getOrDefault(client.index(), 0));
    }

    private boolean isWriting(Set<Object> some) {
        return system.servers.stream()
                .anyMatch(server -> some.contains(server.id()) && server.disks().writing());
    }

    // ---- Acts ----

    private void check(ScriptLine acts) throws MalformedFileException {
        for (ScriptLine act : acts.pieces()) {
            if (act.takes("in")) {
                act.seconds("some time");
            }
            act(act, null, 0);
            act.end();
        }
    }

    /** Carries out each act at its time after a moment, and none within a core's step. */
    private void carryOut(ScriptLine acts, long moment, @Nullable Object it, int turn) {
        try {
            for (ScriptLine act : acts.pieces()) {
                long after = act.takes("in") ? act.seconds("some time") : 0;
                system.timeline.at(moment + after, act(act, it, turn));
            }
        } catch (MalformedFileException changed) {
            throw new IllegalStateException("an act that was checked", changed);
        }
    }

    private Runnable act(ScriptLine line, @Nullable Object it, int turn) throws MalformedFileException {
        String verb = line.word("what is done");
        switch (verb) {
            case "crash" -> {
                Set<Object> some = members(line, it, turn);
                long away = line.takes("for") ? line.seconds("how long") : 0;
                return () -> crash(some, away);
            }
            case "cut", "heal" -> {
                Set<Object> some = members(line, it, turn);
                return () -> some.forEach(one -> replica(one).cutOff(verb.equals("cut")));
            }
            case "copy" -> {
                Set<Object> from = members(line, it, turn);
                line.needs("to");
                Set<Object> to = members(line, it, turn);
                return () -> copy(client(from), client(to));
            }
            case "add", "remove" -> {
                String element = line.word("an element");
                line.needs("by");
                Set<Object> some = members(line, it, turn);
                return () -> update(client(some), verb, element);
            }
            case "hold" -> {
                String kind = line.takes("all") ? "all" : line.oneOf("all, or a kind of frame", KINDS);
                long number = line.isNumber() ? line.whole("the number of a certificate", 1, MANY) : 0;
                Set<Object> from = line.takes("from") ? members(line, it, turn) : null;
                Set<Object> to = line.takes("to") ? members(line, it, turn) : null;
                return () -> held.add(new Held(kind, number, from, to));
            }
            case "release" -> {
                return () -> {
                    held.clear();
                    system.world.network().regate(this::keeps);
                };
            }
            case "lose" -> {
                return () -> {
                    held.clear();
                    system.world.network().lose();
                    system.world.network().gate(this::keeps);
                };
            }
            default -> throw line.wrong("\"" + verb + "\" is nothing that is done");
        }
    }

    private static ClientNode client(Set<Object> some) {
        return (ClientNode) some.iterator().next();
    }

    private ReplicaNode replica(Object id) {
        return system.replicas.get(((NodeId) id).index());
    }

    private void crash(Set<Object> some, long away) {
        for (Object one : some) {
            if (one instanceof NodeId id && id.role() == Role.APPSERVER) {
                AppServerNode server = system.servers.get(id.index());
                if (server.up()) {
                    server.crash();
                }
            } else {
                replica(one).crash();
            }
        }
        if (system.replicas.stream().allMatch(replica -> some.contains(replica.id()))) {
            system.sequencer.beginAnew();
        }
        if (away > 0) {
            system.timeline.after(away, () -> some.forEach(this::start));
        }
    }

    private void start(Object one) {
        if (one instanceof NodeId id && id.role() == Role.APPSERVER) {
            AppServerNode server = system.servers.get(id.index());
            if (!server.up()) {
                server.start();
            }
        } else {
            replica(one).restart();
        }
    }

    private void update(ClientNode client, String operation, String element) {
        ClientUpdate update = new ClientUpdate(
                client.index(),
                client.newCall(),
                Workload.SHARED_SET,
                DataTypes.AW_SET.name(),
                Operation.of(operation, Value.of(element)));
        if (operation.equals("add")) {
            addition = update;
        } else {
            removal = update;
        }
        client.submit(update);
    }

    /** A client starts anew on what another one's disk holds, unless something else keeps it away, and starts it later. */
    private void copy(ClientNode from, ClientNode to) {
        if (to.up() && to != from) {
            to.crash();
            to.disk().become(from.disk());
            to.start();
            if (to.unconfirmed() > 0) {
                happened("copied", to);
            }
        }
    }

    // ---- Events ----

    @Override
    final boolean watched(String event) {
        return rules.containsKey(event);
    }

    @Override
    final void happened(String event, Object by, @Nullable Object to, boolean fresh, long certificate, long begun) {
        for (Rule rule : rules.getOrDefault(event, List.of())) {
            rule.happened(by, to, fresh, certificate, begun);
        }
    }

    private boolean keeps(NodeId from, NodeId to, Wire wire) {
        if (!(wire.decoded() instanceof Decoded.Accepted<Frame> accepted)) {
            return false;
        }
        Message message = accepted.value().message();
        look(from, to, message);
        return held.stream().anyMatch(some -> some.has(message, from, to));
    }

    // ---- The end ----

    /** What has not come about of the situation, one sentence each. */
    List<String> missing() {
        List<String> missing = new ArrayList<>();
        for (Rule rule : inOrder) {
            if (!rule.met()) {
                missing.add(rule.text + ", but there were only " + rule.byParty);
            }
        }
        for (Figure figure : figures) {
            if (figure.must() && !counted(figure)) {
                missing.add(figure.text());
            }
        }
        return missing;
    }

    private void ended(Fact.Ended ending) {
        for (Figure figure : figures) {
            if (!figure.must() && counted(figure)) {
                violated("against " + figure.text());
            }
        }
        List<String> missing = missing();
        if (!missing.isEmpty()) {
            violated("the situation did not come about: " + String.join("; ", missing));
        }
        ClientUpdate update = removal;
        if (removed && update != null) {
            Value element = update.operation().arguments().get(0);
            for (FinalRead read : ending.reads()) {
                if (read.key().equals(update.key())
                        && read.value() instanceof Value.Sequence elements
                        && elements.items().contains(element)) {
                    violated("a confirmed removal has removed nothing: appserver " + read.server() + " has "
                            + read.value());
                }
            }
        }
    }

    private boolean counted(Figure figure) {
        return system.servers.stream()
                .filter(server -> figure.servers().contains(server.id()))
                .flatMap(server -> server.core().map(AppServerCore::status).stream())
                .anyMatch(status -> figure.name().equals("amnesiac")
                        ? status.state() == ServerState.AMNESIAC
                        : status.counters().getOrDefault(figure.name(), 0L) > 0);
    }
}
