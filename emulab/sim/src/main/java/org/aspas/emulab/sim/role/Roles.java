package org.aspas.emulab.sim.role;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.aspas.certify.identity.ClientId;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.network.ClientLines;
import org.aspas.emulab.sim.node.ReplicaConduct;
import org.aspas.emulab.sim.node.ServerConduct;
import org.aspas.emulab.sim.role.ByzantineRole.Proof;

/**
 * The table of the Byzantine roles. Names of roles of appservers joined by {@code +} make one role that does all of them. {@code
 * wrong-values@1} answers one in a hundred with a wrong value, and so on from 1 to 100.
 */
public final class Roles {
    private static final Map<String, ByzantineRole<ServerConduct>> SERVERS = new TreeMap<>();
    private static final Map<String, ByzantineRole<ReplicaConduct>> REPLICAS = new TreeMap<>();
    private static final Map<String, ByzantineRole<BadClient.Kind>> CLIENTS = new TreeMap<>();
    private static final String WRONG_VALUES = "wrong-values";
    private static final Pattern SOME_WRONG_VALUES = Pattern.compile(WRONG_VALUES + "@([1-9][0-9]?|100)");
    private static final double PERCENT = 100;
    private static final String FORGED_SNAPSHOTS = "forged-snapshots";

    static {
        server("silent", "sends no server anything any more", Withholding::silent);
        server(
                "silent-to-peers",
                "acknowledges clients' updates and gives them to no other appserver",
                Withholding::silentToPeers);
        server("mute", "answers no client after the greeting", Withholding::mute);
        server("selective", "gives its batches to some appservers only", Withholding::selective);
        server("delaying", "sends servers everything, half of it seconds late and out of order", Withholding::delaying);
        server(
                "withholding-certificates",
                "answers clients without certificates and confirms nothing",
                Withholding::withoutCertificates);
        server("lying-reports", "reports too little or too much in VERTOBFT", power -> Lying.reports(power, true));
        server(
                "high-reports-no-stable",
                "reports too much in VERTOBFT and never answers with STABLE",
                power -> Lying.reports(power, false));
        server("low-reports", "reports in VERTOBFT what it reported first, for ever", Lying::lowReports);
        server(
                "lopsided-reports",
                "reports in VERTOBFT its version without what is new of one other appserver",
                Lying::lopsidedReports);
        provable("wrong-stable", "answers the bftservers with wrong roots or a wrong state", Lying::stables);
        server("stale-certificates", "gives clients one old certificate for ever", Lying::staleCertificates);
        server(
                "forged-certificates",
                "gives clients and servers certificates that the bftservers never signed",
                ForgedCertificates::new);
        provable(
                "certificates-going-back",
                "gives clients now the newest certificate and now an old one, each signed for",
                Lying::certificatesGoingBack);
        provable(
                "signed-forged-certificates",
                "gives clients forged certificates and signs for them",
                Lying::signedForgedCertificates);
        server(
                "undersigned-certificates",
                "gives clients and servers certificates with too few signatures, all genuine",
                FewSignatures::new);
        server(
                "wrong-inspections",
                "calls others' right answers wrong and wrong ones right when clients inspect",
                LyingWitness::inspections);
        server("wrong-standings", "answers clients' questions about others with lies", LyingWitness::standings);
        server(
                "false-accusing",
                "accuses correct servers and clients with proofs that prove nothing",
                FalseAccuser::new);
        provable(WRONG_VALUES, "answers three in ten with a wrong value", Lying::values);
        server("wrong-entries", "answers three in ten updates with the leaf of another entry", Lying::leaves);
        server(
                "shared-places",
                "enters no update of some clients, and answers and confirms each by the entry of another client",
                SharedPlaces::new);
        server("denying", "accepts updates and denies them right after", Lying::denial);
        server("garbage", "sends bytes that are no frame besides what it owes", Noise::garbage);
        server("mutating", "changes bytes in its own frames", Noise::mutation);
        server("replaying", "sends anybody old frames of its own and of others", Noise::replay);
        server("flooding", "asks appservers without end, and reports to bftservers", Noise::flood);
        server("impersonating", "continues the logs of others under its own signature", Impersonating::origins);
        contradicting(
                "forking",
                "equivocates to peers: two histories, each for some appservers and clients",
                TwoHistories::fork);
        contradicting(
                "twins", "two instances with one key, whose peers change every few seconds", TwoHistories::shifting);
        contradicting(
                "two-logs",
                "equivocates between clients and peers: peers never see some of the updates",
                TwoHistories::clientsAgainstPeers);
        server(
                "false-confirmations",
                "as two-logs, and confirms what peers never saw by certificates of the other log",
                power -> new Chain(List.of(TwoHistories.clientsAgainstPeers(power), new FalseConfirmations(power))));
        provable("forged-requests", "enters updates that no client signed", log(ForgedLog.Kind.FORGED));
        server("replayed-requests", "enters clients' old updates again", log(ForgedLog.Kind.REPLAYED));
        server("ghost-dependencies", "enters updates that depend on what nobody has", log(ForgedLog.Kind.GHOSTS));
        contradicting(
                "understated-dependencies",
                "enters updates whose dependencies do not grow",
                log(ForgedLog.Kind.UNDERSTATED));
        contradicting(
                "narrow-dependencies",
                "enters updates that depend on what it has of one other appserver only",
                power -> new Chain(List.of(new ForgedLog(power, ForgedLog.Kind.NARROW), new RepeatedReports(power))));
        provable("backward-dependencies", "enters updates whose dependencies go back", log(ForgedLog.Kind.BACKWARDS));
        contradicting(
                "cyclic-dependencies",
                "forks so that its entries and those of correct appservers wait for each other",
                CyclicBranch::new);
        provable(
                "broken-last-entry",
                "ends its log with an update that no client signed, and answers no client any more",
                log(ForgedLog.Kind.LAST));
        provable(
                "heads-of-nothing",
                "tells peers two heads of one size, one with a root that nothing opens",
                HeadsOfNothing::new);
        provable("two-stables", "answers one question of the bftservers with two STABLEs that differ", TwoStables::new);
        server("low-stables", "answers the bftservers with STABLEs below what is certified", LowStables::new);
        server(
                "stale-certified-reads",
                "answers certified reads by an older certificate, with its genuine proof",
                StaleReads::new);
        server(
                FORGED_SNAPSHOTS,
                "gives who was away for long snapshots with forged ends of logs and forged leaves",
                ForgedSnapshots::new);
        server("fuzzing-fields", "changes single fields of its own frames, and signs them again", FuzzingServer::new);

        replica("replica-silent", "says nothing and submits nothing", BadReplica::silent);
        replica(
                "replica-wrong-shares",
                "signs another content than the accepted one",
                power -> BadReplica.shares(power, false));
        replica(
                "replica-two-shares",
                "signs the accepted content and another one",
                power -> BadReplica.shares(power, true));
        replica("replica-ticks-ahead", "votes for ordered time far ahead, and often", BadReplica::ticksAhead);
        replica(
                "replica-false-questions",
                "asks appservers for other versions than its machine does",
                BadReplica::questions);
        replica("replica-false-accepts", "accepts contents that nobody decided", BadReplica::accepts);
        replica(
                "replica-impersonating",
                "puts commands of other bftservers and of appservers into the order",
                Impersonating::commands);
        replica("replica-noise", "puts old and broken commands into the order", BadReplica::noise);
        replica(
                "replica-fuzzing-fields",
                "changes single fields of its own frames, and signs them again",
                FuzzingReplica::new);

        client(
                "client-equivocating",
                "signs two updates under one number, and gives them to different appservers",
                BadClient.Kind.EQUIVOCATING);
        client("client-flooding", "sends more than anybody should", BadClient.Kind.FLOODING);
        client("client-garbage", "sends bytes that are no frame, and changed frames", BadClient.Kind.GARBAGE);
        client(
                "client-complaining",
                "complains of correct parties with evidence that proves nothing",
                BadClient.Kind.COMPLAINING);
        client(
                "client-slandering",
                "complains with replies to inspections that no f+1 servers signed",
                BadClient.Kind.SLANDERING);
        client("client-inspecting", "asks for inspections and standings without end", BadClient.Kind.INSPECTING);
        client(
                "client-fuzzing-fields",
                "changes fields of all that a client can send, and signs again",
                BadClient.Kind.FUZZING_FIELDS);
        client(
                "client-forging",
                "sends requests in the name of others, with gaps, of wrong type, with numbers used before",
                BadClient.Kind.FORGING);
    }

    private Roles() {}

    private static void server(String name, String line, Function<Power, ServerConduct> maker) {
        SERVERS.put(name, new ByzantineRole<>(name, line, Proof.UNCERTAIN, maker));
    }

    private static void provable(String name, String line, Function<Power, ServerConduct> maker) {
        SERVERS.put(name, new ByzantineRole<>(name, line, Proof.EVERY_MISDEED, maker));
    }

    private static void contradicting(String name, String line, Function<Power, ServerConduct> maker) {
        SERVERS.put(name, new ByzantineRole<>(name, line, Proof.TWO_ENTRIES, maker));
    }

    private static Function<Power, ServerConduct> log(ForgedLog.Kind kind) {
        return power -> new ForgedLog(power, kind);
    }

    private static void replica(String name, String line, Function<Power, ReplicaConduct> maker) {
        REPLICAS.put(name, new ByzantineRole<>(name, line, Proof.UNCERTAIN, maker));
    }

    private static void client(String name, String line, BadClient.Kind kind) {
        CLIENTS.put(name, new ByzantineRole<>(name, line, Proof.UNCERTAIN, power -> kind));
    }

    // ---- What there is ----

    /** The roles of appservers. */
    public static List<String> servers() {
        return List.copyOf(SERVERS.keySet());
    }

    /** The roles of bftservers. */
    public static List<String> replicas() {
        return List.copyOf(REPLICAS.keySet());
    }

    /** The roles of clients. */
    public static List<String> clients() {
        return List.copyOf(CLIENTS.keySet());
    }

    /** All roles, those of appservers first and those of clients last. */
    public static List<String> all() {
        return Stream.of(servers(), replicas(), clients()).flatMap(List::stream).toList();
    }

    /** Roles with one line each, for people. */
    public static List<String> described(List<String> names) {
        return names.stream()
                .map(name -> String.format("  %-26s %s", name, line(name)))
                .toList();
    }

    /** What a party with this role does; of several joined by {@code +}, all of it. */
    public static String line(String name) {
        return parts(name).stream().map(Roles::lineOf).collect(Collectors.joining("; "));
    }

    private static String lineOf(String part) {
        return listed(part).equals(part)
                ? role(part).line()
                : "answers " + percent(part) + " in a hundred with a wrong value";
    }

    /** How many answers in a hundred a part with its own share falsifies. */
    private static int percent(String part) {
        return Integer.parseInt(part.substring(part.indexOf('@') + 1));
    }

    /** The parts of a role of an appserver. */
    private static List<String> parts(String name) {
        return List.of(name.split("\\+", -1));
    }

    /** The name in the table of a part. */
    private static String listed(String part) {
        return SOME_WRONG_VALUES.matcher(part).matches() ? WRONG_VALUES : part;
    }

    private static ByzantineRole<?> role(String name) {
        ByzantineRole<?> server = SERVERS.get(name);
        ByzantineRole<?> other = server == null ? REPLICAS.get(name) : server;
        return other == null ? known(CLIENTS, name, "anybody") : other;
    }

    /** Whether an appserver can have this role. */
    public static boolean isServer(String name) {
        return parts(name).stream().map(Roles::listed).allMatch(SERVERS::containsKey);
    }

    /** Whether a bftserver can have this role. */
    public static boolean isReplica(String name) {
        return REPLICAS.containsKey(name);
    }

    /** Whether a client can have this role. */
    public static boolean isClient(String name) {
        return CLIENTS.containsKey(name);
    }

    /** Whether an appserver with this role lies in snapshots, for which somebody has to want one. */
    public static boolean liesInSnapshots(String name) {
        return parts(name).contains(FORGED_SNAPSHOTS);
    }

    private static boolean hasProof(String name, Proof proof) {
        ByzantineRole<ServerConduct> role = SERVERS.get(name);
        return role != null && role.proof() == proof;
    }

    /** Whether nothing that an appserver with this role does can stay without proof when servers and network work. */
    public static boolean isProvable(String name) {
        return hasProof(name, Proof.EVERY_MISDEED) || hasProof(name, Proof.TWO_ENTRIES);
    }

    /** Whether what an appserver with this role does is proof from the first two entries at one place on. */
    public static boolean isProvableByContradiction(String name) {
        return hasProof(name, Proof.TWO_ENTRIES);
    }

    // ---- Makers ----

    private static <C> ByzantineRole<C> known(Map<String, ByzantineRole<C>> table, String name, String whose) {
        ByzantineRole<C> role = table.get(name);
        if (role == null) {
            throw new IllegalArgumentException("there is no role " + name + " of " + whose);
        }
        return role;
    }

    /** The conduct of an appserver with this role. */
    public static ServerConduct server(String name, Power power) {
        List<ServerConduct> conducts = new ArrayList<>();
        for (String part : parts(name)) {
            conducts.add(
                    listed(part).equals(part)
                            ? known(SERVERS, part, "an appserver").maker().apply(power)
                            : Lying.values(power, percent(part) / PERCENT));
        }
        return conducts.size() == 1 ? conducts.get(0) : new Chain(conducts);
    }

    /** The conduct of a bftserver with this role. */
    public static ReplicaConduct replica(String name, Power power) {
        return known(REPLICAS, name, "a bftserver").maker().apply(power);
    }

    /** A Byzantine client with this role, which knows the names of the correct ones. */
    public static BadClient client(
            String name, Power power, Timeline timeline, ClientLines lines, List<ClientId> others) {
        return new BadClient(power, known(CLIENTS, name, "a client").maker().apply(power), timeline, lines, others);
    }
}
