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
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.node.ByzantineBehavior;
import org.aspas.emulab.sim.node.ClientLines;
import org.aspas.emulab.sim.node.ReplicaBehavior;

/**
 * The table of the Byzantine roles. Names of roles of appservers joined by {@code +} make one role that does all of them. {@code
 * wrong-values@1} answers one in a hundred with a wrong value, and so on from 1 to 100.
 */
public final class Roles {
    private static final Map<String, Role<ByzantineBehavior>> SERVERS = ServerRoles.all();
    private static final Map<String, Role<ReplicaBehavior>> REPLICAS = ReplicaRoles.all();
    private static final Map<String, Role<BadClient.Attack>> CLIENTS = clientRoles();
    private static final Pattern SOME_WRONG_VALUES = Pattern.compile(ServerRoles.WRONG_VALUES + "@([1-9][0-9]?|100)");
    private static final double PERCENT = 100;
    /** The role of the client whose key all Byzantine parties have. */
    public static final String COLLUDING = ServerRoles.BODYGUARD;

    private Roles() {}

    private static Map<String, Role<BadClient.Attack>> clientRoles() {
        Map<String, Role<BadClient.Attack>> roles = new TreeMap<>();
        for (BadClient.Attack attack : BadClient.Attack.values()) {
            roles.put(attack.role(), new Role<>(attack.role(), attack.line(), Proof.UNCERTAIN, context -> attack));
        }
        return roles;
    }

    /**
     * One way to be Byzantine.
     *
     * @param name the role's name in options and reports
     * @param line what such a party does, for people
     * @param proof when what it does is proof against it
     * @param <C> what decides on what a party of this kind does
     */
    record Role<C>(String name, String line, Proof proof, Function<AdversaryContext, C> maker) {}

    /** When what a party does is proof, with somebody correct who works or inspects, while servers and network work. */
    enum Proof {
        /** Not always, or never. */
        UNCERTAIN,
        /** With each misdeed. */
        EVERY_MISDEED,
        /** Once it put two entries at one place of its log before correct parties. */
        TWO_ENTRIES
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

    private static Role<?> role(String name) {
        Role<?> server = SERVERS.get(name);
        Role<?> other = server == null ? REPLICAS.get(name) : server;
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
        Role<ByzantineBehavior> role = SERVERS.get(name);
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

    private static <C> Role<C> known(Map<String, Role<C>> table, String name, String whose) {
        Role<C> role = table.get(name);
        if (role == null) {
            throw new IllegalArgumentException("there is no role " + name + " of " + whose);
        }
        return role;
    }

    public static ByzantineBehavior server(String name, AdversaryContext context) {
        List<ByzantineBehavior> behaviors = new ArrayList<>();
        for (String part : parts(name)) {
            behaviors.add(
                    listed(part).equals(part)
                            ? known(SERVERS, part, "an appserver").maker().apply(context)
                            : ServerRoles.wrongValues(context, percent(part) / PERCENT));
        }
        return behaviors.size() == 1 ? behaviors.get(0) : new Chain(behaviors);
    }

    public static ReplicaBehavior replica(String name, AdversaryContext context) {
        return known(REPLICAS, name, "a bftserver").maker().apply(context);
    }

    /** A Byzantine client with this role, which knows the names of the correct ones. */
    public static BadClient client(
            String name, AdversaryContext context, Timeline timeline, ClientLines lines, List<ClientId> others) {
        return new BadClient(context, known(CLIENTS, name, "a client").maker().apply(context), timeline, lines, others);
    }
}
