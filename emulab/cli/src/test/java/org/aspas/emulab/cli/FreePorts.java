package org.aspas.emulab.cli;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.aspas.emulab.testbed.deployment.Deployment;

/**
 * Free ports for {@code init --appservers ... --bftservers ...}: below the range of outgoing connections, and held until all
 * are chosen.
 *
 * @param appservers a place per appserver; the ports above it by 1000 and 2000, which init gives to clients, are free too
 * @param bftservers a place per bftserver
 */
record FreePorts(List<Integer> appservers, List<Integer> bftservers) {
    private static final int NODES = 4;

    static FreePorts choose() throws IOException {
        List<ServerSocket> held = new ArrayList<>();
        try {
            List<Integer> appservers = new ArrayList<>();
            List<Integer> bftservers = new ArrayList<>();
            for (int node = 0; node < NODES; node++) {
                appservers.add(free(held, 0, 1000, 2000));
                bftservers.add(free(held, 0));
            }
            return new FreePorts(appservers, bftservers);
        } finally {
            for (ServerSocket socket : held) {
                socket.close();
            }
        }
    }

    private static int free(List<ServerSocket> held, int... offsets) {
        for (int attempt = 0; attempt < 10_000; attempt++) {
            int first = ThreadLocalRandom.current().nextInt(20_000, 30_000);
            if (hold(held, first, offsets)) {
                return first;
            }
        }
        throw new IllegalStateException("no free ports from 20000 to 31999");
    }

    private static boolean hold(List<ServerSocket> held, int first, int... offsets) {
        for (int offset : offsets) {
            try {
                held.add(new ServerSocket(first + offset));
            } catch (IOException taken) {
                return false;
            }
        }
        return true;
    }

    private static String places(List<Integer> ports) {
        return String.join(",", ports.stream().map(port -> "127.0.0.1:" + port).toList());
    }

    /** The command that makes a deployment with these ports. */
    String[] init(String directory) {
        return new String[] {"init", directory, "--appservers", places(appservers), "--bftservers", places(bftservers)};
    }

    /** The command that makes a deployment with these ports from a backup, and prints JSON. */
    String[] restore(String backup, String directory, String old) {
        return new String[] {
            "restore",
            backup,
            directory,
            "--of",
            old,
            "--clients",
            "--json",
            "--appservers",
            places(appservers),
            "--bftservers",
            places(bftservers)
        };
    }

    /** Where the nodes are, appservers first. */
    List<Deployment.Place> all() {
        List<Deployment.Place> all = new ArrayList<>();
        appservers.forEach(port -> all.add(new Deployment.Place("127.0.0.1", port, port + 1000)));
        bftservers.forEach(port -> all.add(new Deployment.Place("127.0.0.1", port, 0)));
        return all;
    }

    int linkPort(int appserver) {
        return appservers.get(appserver);
    }

    int clientPort(int appserver) {
        return appservers.get(appserver) + 1000;
    }
}
