package org.aspas.emulab.sim.role;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.aspas.emulab.sim.node.ReplicaConduct;
import org.aspas.emulab.sim.node.ServerConduct;

/** The Byzantine roles by name. Names joined by {@code +} make one role that does all of them. */
public final class Roles {
    private static final Map<String, Function<Power, ServerConduct>> SERVERS = new TreeMap<>();
    private static final Map<String, Function<Power, ReplicaConduct>> REPLICAS = new TreeMap<>();

    private Roles() {}

    /** The roles of appservers. */
    public static List<String> servers() {
        return List.copyOf(SERVERS.keySet());
    }

    /** The roles of bftservers. */
    public static List<String> replicas() {
        return List.copyOf(REPLICAS.keySet());
    }

    /** Whether an appserver can have this role. */
    public static boolean isServer(String name) {
        return SERVERS.containsKey(name.split("\\+", -1)[0]);
    }

    /** Whether a bftserver can have this role. */
    public static boolean isReplica(String name) {
        return REPLICAS.containsKey(name.split("\\+", -1)[0]);
    }

    /** The conduct of an appserver with this role. */
    public static ServerConduct server(String name, Power power) {
        return SERVERS.getOrDefault(name, unknown -> new ServerConduct() {}).apply(power);
    }

    /** The conduct of a bftserver with this role. */
    public static ReplicaConduct replica(String name, Power power) {
        return REPLICAS.getOrDefault(name, unknown -> new ReplicaConduct() {}).apply(power);
    }
}
