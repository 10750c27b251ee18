package org.aspas.emulab.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.quorum.Quorums;
import org.aspas.emulab.deployment.Deployment.Place;

/**
 * Finds free loopback ports for a deployment. They lie below the range from which systems take the ports of outgoing
 * connections (from 32768 on Linux, from 49152 elsewhere), so that no connection made meanwhile can take one.
 */
final class LoopbackPlaces {
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
    static List<Place> choose(Quorums quorums) throws IOException {
        LoopbackPlaces search = new LoopbackPlaces();
        try {
            return search.places(quorums);
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
            places.add(new Place(host, inARow(1), inARow(1)));
        }
        for (int bftserver = 0; bftserver < quorums.bftservers(); bftserver++) {
            places.add(new Place(host, inARow(1), inARow(2)));
        }
        return places;
    }

    /** The first of some free ports in a row, which are held from now on. */
    private int inARow(int count) throws IOException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int first = FIRST + random.nextInt(LAST - FIRST);
            List<ServerSocket> row = new ArrayList<>();
            while (row.size() < count && hold(first + row.size(), row)) {
                // Each hold adds one.
            }
            held.addAll(row);
            if (row.size() == count) {
                return first;
            }
        }
        throw new IOException("no " + count + " free ports in a row from " + FIRST + " to " + LAST);
    }

    /** On every address, because the ordering library listens on every address. */
    private static boolean hold(int port, List<ServerSocket> row) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.bind(new InetSocketAddress(port));
            row.add(socket);
            return true;
        } catch (IOException taken) {
            socket.close();
            return false;
        }
    }
}
