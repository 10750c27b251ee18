package org.aspas.emulab.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.aspas.appserver.core.certification.SnapshotCheck;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.Role;
import org.aspas.emulab.testbed.backup.SnapshotDownload;
import org.jspecify.annotations.Nullable;

/** The appservers that are asked for a snapshot, one after another until one gives it. */
final class SnapshotServers {
    private static final int PORTS = 65_535;

    private final Descriptor descriptor;
    private final HttpClient http;
    private final List<URI> servers;
    private final Duration patience;
    private final PrintWriter errors;

    /**
     * Which are asked.
     *
     * @param from an index, or host and port of one; null for all, one after another
     * @param patience how long each answer may take
     * @param errors is told why the next one is asked
     */
    SnapshotServers(
            Descriptor descriptor, @Nullable String from, HttpClient http, Duration patience, PrintWriter errors) {
        this.http = http;
        this.descriptor = descriptor;
        this.patience = patience;
        this.errors = errors;
        this.servers = from == null
                ? descriptor.nodes(Role.APPSERVER).stream()
                        .map(NodeDescription::webSocket)
                        .toList()
                : List.of(place(descriptor, from));
    }

    private static URI place(Descriptor descriptor, String from) {
        List<NodeDescription> appservers = descriptor.nodes(Role.APPSERVER);
        int colon = from.lastIndexOf(':');
        if (colon >= 0) {
            int port = number(from, from.substring(colon + 1), PORTS);
            boolean tls = appservers.stream().anyMatch(NodeDescription::clientTls);
            return URI.create((tls ? "wss://" : "ws://") + from.substring(0, colon) + ":" + port + "/v1/session");
        }
        return appservers.get(number(from, from, appservers.size() - 1)).webSocket();
    }

    private static int number(String from, String digits, int most) {
        int number;
        try {
            number = Integer.parseInt(digits);
        } catch (NumberFormatException none) {
            number = -1;
        }
        if (number < 0 || number > most) {
            throw new IllegalArgumentException(
                    "--from " + from + " is neither the index of an appserver nor HOST:PORT where one serves clients");
        }
        return number;
    }

    /** Something that is done with one server's snapshot. */
    @FunctionalInterface
    interface Attempt<T> {
        T run(SnapshotDownload download)
                throws IOException, SnapshotCheck.WrongSnapshot, TimeoutException, InterruptedException;
    }

    /**
     * Tries one after another.
     *
     * @throws TimeoutException when none can be reached or answers in time
     * @throws SnapshotCheck.WrongSnapshot when the last one that answers sends what is not certified
     */
    <T> T run(Attempt<T> attempt)
            throws IOException, SnapshotCheck.WrongSnapshot, TimeoutException, InterruptedException {
        SnapshotCheck.WrongSnapshot wrong = null;
        String last = "";
        for (URI server : servers) {
            try {
                return attempt.run(new SnapshotDownload(descriptor, http, server, patience));
            } catch (SnapshotDownload.Failed | TimeoutException silent) {
                last = String.valueOf(silent.getMessage());
            } catch (SnapshotCheck.WrongSnapshot lie) {
                wrong = lie;
                last = server + ": " + lie.getMessage();
            }
            if (servers.size() > 1) {
                errors.println("aspas: " + last + "; asking the next one");
            }
        }
        if (wrong != null) {
            throw wrong;
        }
        throw new TimeoutException(last);
    }
}
