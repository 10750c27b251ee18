package org.aspas.emulab.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.quorum.Quorums;
import org.aspas.emulab.deployment.Deployment.Place;

/** Finds free loopback ports for a deployment. */
final class LoopbackPlaces {
    private static final int ATTEMPTS = 100;

    private LoopbackPlaces() {}

    /**
     * Places for all nodes: appservers first, then bftservers. All ports are held while they are being chosen and free
     * again on return, so another program could still take one.
     *
     * @throws IOException when no free ports can be had
     */
    static List<Place> choose(Quorums quorums) throws IOException {
        String host = InetAddress.getLoopbackAddress().getHostAddress();
        List<ServerSocket> held = new ArrayList<>();
        try {
            List<Place> places = new ArrayList<>();
            for (int appserver = 0; appserver < quorums.appservers(); appserver++) {
                places.add(new Place(host, any(held), any(held)));
            }
            for (int bftserver = 0; bftserver < quorums.bftservers(); bftserver++) {
                places.add(new Place(host, any(held), twoInARow(held)));
            }
            return places;
        } finally {
            for (ServerSocket socket : held) {
                socket.close();
            }
        }
    }

    private static int any(List<ServerSocket> held) throws IOException {
        return bind(held, 0);
    }

    private static int twoInARow(List<ServerSocket> held) throws IOException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = bind(held, 0);
            try {
                bind(held, port + 1);
                return port;
            } catch (IOException | IllegalArgumentException taken) {
                // The next attempt begins at another port; this one stays held so that it is not found again.
            }
        }
        throw new IOException("no two free ports in a row after " + ATTEMPTS + " attempts");
    }

    private static int bind(List<ServerSocket> held, int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        held.add(socket);
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return socket.getLocalPort();
    }
}
