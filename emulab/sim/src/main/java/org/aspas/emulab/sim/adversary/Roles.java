package org.aspas.emulab.sim.adversary;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.aspas.certify.identity.ClientId;
import org.aspas.emulab.sim.adversary.ByzantineRole.Proof;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.node.ByzantineBehavior;
import org.aspas.emulab.sim.node.ClientLines;
import org.aspas.emulab.sim.node.ReplicaConduct;

/**
 * The table of the Byzantine roles. Names of roles of appservers joined by {@code +} make one role that does all of them. {@code
 * wrong-values@1} answers one in a hundred with a wrong value, and so on from 1 to 100.
 */
public final class Roles {
    private static final Map<String, ByzantineRole<ByzantineBehavior>> SERVERS = ServerRoles.all();
    private static final Map<String, ByzantineRole<ReplicaConduct>> REPLICAS = new TreeMap<>();
    private static final Map<String, ByzantineRole<BadClient.Attack>> CLIENTS = new TreeMap<>();
    private static final Pattern SOME_WRONG_VALUES = Pattern.compile(ServerRoles.WRONG_VALUES + "@([1-9][0-9]?|100)");
    private static final double PERCENT = 100;
    /** The role of the client whose key all Byzantine parties have. */
    public static final String COLLUDING = ServerRoles.BODYGUARD;

    static {
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
                "replica-false-records",
                "says that its record proves a content that nobody decided",
                FalseRecords::new);
        replica(
                "replica-old-accepts",
                "keeps others' ACCEPTs, and shows them later as proofs: of what nobody else has a proof of, or of a"
                        + " higher attempt",
                OldAccepts::new);
        replica(
                "replica-hidden-proof",
                "hides a proof, helps one bftserver to sign another content, and then all others to the hidden one",
                HiddenProof::new);
        replica(
                "replica-high-claims",
                "says that its record holds the highest epoch and attempt that there are",
                BadReplica::claims);
        replica(
                "replica-rising-claims",
                "says all the time that its record holds a higher epoch than the one that runs",
                RisingClaims::new);
        replica(
                "replica-impersonating",
                "puts commands of other bftservers and of appservers into the order",
                Impersonating::commands);
        replica(
                "replica-early-words",
                "gives words to some bftservers only, others to others, COMMITs without proof, and some never to the"
                        + " order",
                EarlyLies::new);
        replica("replica-noise", "puts old and broken commands into the order", BadReplica::noise);
        replica(
                "replica-fuzzing-fields",
                "changes single fields of its own frames, and signs them again",
                FuzzingReplica::new);

        for (BadClient.Attack attack : BadClient.Attack.values()) {
            CLIENTS.put(
                    attack.role(),
                    new ByzantineRole<>(attack.role(), attack.line(), Proof.UNCERTAIN, power -> attack));
        }
    }

    private Roles() {}

    private static void replica(String name, String line, Function<AdversaryContext, ReplicaConduct> maker) {
        REPLICAS.put(name, new ByzantineRole<>(name, line, Proof.UNCERTAIN, maker));
    }

    // ---- What there is ----

    public static List<String> servers() {
        return List.copyOf(SERVERS.keySet());
    }

    public static List<String> replicas() {
        return List.copyOf(REPLICAS.keySet());
    }

    public static List<String> clients() {
        return List.copyOf(CLIENTS.keySet());
    }

    /** All roles, those of appservers first and those of clients last. */
    public static List<String> all() {
        return Stream.of(servers(), replicas(), clients())
                .flatMap(List::stream)
                .distinct()
                .toList();
    }

    /** Roles with one line each, for people. */
    public static List<String> described(List<String> names) {
        return names.stream()
                .map(name -> String.format(Locale.ROOT, "  %-26s %s", name, line(name)))
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

    private static List<String> parts(String name) {
        return List.of(name.split("\\+", -1));
    }

    /** The name in the table of a part. */
    private static String listed(String part) {
        return SOME_WRONG_VALUES.matcher(part).matches() ? ServerRoles.WRONG_VALUES : part;
    }

    private static ByzantineRole<?> role(String name) {
        ByzantineRole<?> server = SERVERS.get(name);
        ByzantineRole<?> other = server == null ? REPLICAS.get(name) : server;
        return other == null ? known(CLIENTS, name, "anybody") : other;
    }

    public static boolean isServer(String name) {
        return parts(name).stream().map(Roles::listed).allMatch(SERVERS::containsKey);
    }

    public static boolean isReplica(String name) {
        return REPLICAS.containsKey(name);
    }

    public static boolean isClient(String name) {
        return CLIENTS.containsKey(name);
    }

    /** Whether an appserver with this role lies in snapshots, for which somebody has to want one. */
    public static boolean liesInSnapshots(String name) {
        return parts(name).contains(ServerRoles.FORGED_SNAPSHOTS);
    }

    /**
     * Whether an appserver with this role must have seen its own log from the first entry on: it shows another one that begins so. Once
     * something is certified, a server that starts again no longer has that beginning, and the others refuse what it shows.
     */
    public static boolean needsItsWholeLog(String name) {
        return parts(name).stream().anyMatch(ServerRoles::makesItsLog);
    }

    private static boolean hasProof(String name, Proof proof) {
        ByzantineRole<ByzantineBehavior> role = SERVERS.get(name);
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

    public static ByzantineBehavior server(String name, AdversaryContext power) {
        List<ByzantineBehavior> conducts = new ArrayList<>();
        for (String part : parts(name)) {
            conducts.add(
                    listed(part).equals(part)
                            ? known(SERVERS, part, "an appserver").maker().apply(power)
                            : Lying.values(power, percent(part) / PERCENT));
        }
        return conducts.size() == 1 ? conducts.get(0) : new Chain(conducts);
    }

    public static ReplicaConduct replica(String name, AdversaryContext power) {
        return known(REPLICAS, name, "a bftserver").maker().apply(power);
    }

    /** A Byzantine client with this role, which knows the names of the correct ones. */
    public static BadClient client(
            String name, AdversaryContext power, Timeline timeline, ClientLines lines, List<ClientId> others) {
        return new BadClient(power, known(CLIENTS, name, "a client").maker().apply(power), timeline, lines, others);
    }
}
