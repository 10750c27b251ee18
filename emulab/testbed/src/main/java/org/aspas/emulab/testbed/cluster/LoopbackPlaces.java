package org.aspas.emulab.testbed.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.identity.Quorums;
import org.aspas.emulab.testbed.deployment.Deployment.Place;

/**
 * Finds free loopback ports for a deployment. They lie below the range from which systems take the ports of outgoing
 * connections (from 32768 on Linux, from 49152 elsewhere), so that no connection made meanwhile can take one.
 */
public final class LoopbackPlaces {
    private static final int FIRST = 20_000;
    private static final int LAST = 32_000;
    private static final int ATTEMPTS = 2_000;

    private final List<ServerSocket> held = new ArrayList<>();
    private final SecureRandom random = new SecureRandom();

    private LoopbackPlaces() {}

    /**
     * Places for all nodes: appservers first, then bftservers. All ports are held while they are being chosen and free
     * again on return, so another program that listens could still take one.
     *
     * @throws IOException when no free ports can be had
     */
    public static List<Place> choose(Quorums quorums) throws IOException {
        LoopbackPlaces search = new LoopbackPlaces();
        try {
            return search.places(quorums);
        } finally {
            for (ServerSocket socket : search.held) {
                socket.close();
            }
        }
    }

    /**
     * Free loopback addresses whose next ports are free too, for replicas that take both.
     *
     * @throws IOException when no free ports can be had
     */
    public static List<InetSocketAddress> pairs(int count) throws IOException {
        LoopbackPlaces search = new LoopbackPlaces();
        List<InetSocketAddress> pairs = new ArrayList<>();
        try {
            for (int attempt = 0; pairs.size() < count; attempt++) {
                int port = search.free();
                if (search.take(port + 1)) {
                    pairs.add(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                } else if (attempt >= ATTEMPTS) {
                    throw new IOException("no free pair of ports found from " + FIRST + " to " + LAST);
                }
            }
            return pairs;
        } finally {
            for (ServerSocket socket : search.held) {
                socket.close();
            }
        }
    }

    private List<Place> places(Quorums quorums) throws IOException {
        String host = InetAddress.getLoopbackAddress().getHostAddress();
        List<Place> places = new ArrayList<>();
        for (int appserver = 0; appserver < quorums.appservers(); appserver++) {
            places.add(new Place(host, free(), free(), free()));
        }
        for (int bftserver = 0; bftserver < quorums.bftservers(); bftserver++) {
            places.add(new Place(host, free(), 0));
        }
        return places;
    }

    /** A port that is free on every address, and held from now on. */
    private int free() throws IOException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = FIRST + random.nextInt(LAST - FIRST);
            if (take(port)) {
                return port;
            }
        }
        throw new IOException("no free port found from " + FIRST + " to " + LAST);
    }

    /** Holds a port; false when it is taken. */
    private boolean take(int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.bind(new InetSocketAddress(port));
            held.add(socket);
            return true;
        } catch (IOException taken) {
            socket.close();
            return false;
        }
    }
}
