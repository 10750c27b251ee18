package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.stream.StreamSupport;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.Role;
import org.aspas.emulab.testbed.cluster.ServerHttp;
import org.aspas.emulab.testbed.deployment.NodeFiles;
import org.aspas.emulab.testbed.deployment.NodeProcess;

/**
 * What can be known of a bftserver, which talks to nobody but nodes: what appservers say of their links to it, whether its
 * signature is in the newest certificate, whether it accepts connections, and its process where {@code aspas up} began it here.
 *
 * @param linkedBy how many of the appservers that answered have a link to it
 * @param asked how many answered
 * @param certificate the newest certificate that was looked at; 0 for none
 * @param signed whether its signature is in there: 2b+1 are enough, so that the others' being late says nothing
 * @param process its process here; empty when it is elsewhere, or not known
 */
record BftserverRow(
        NodeDescription node,
        State state,
        long linkedBy,
        int asked,
        long certificate,
        boolean signed,
        OptionalLong process) {
    private static final ObjectMapper JSON = new ObjectMapper();

    enum State {
        /** An appserver has a link to it. */
        LINKED,
        /** No appserver has a link to it, and its port accepts connections. */
        LISTENS,
        /** Its port does not accept connections. */
        UNREACHABLE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Looks at all bftservers.
     *
     * @param run the folder in which {@code aspas up} notes processes
     */
    static List<BftserverRow> all(
            Descriptor descriptor, List<StatusRow> appservers, HttpClient http, Duration timeout, Path run) {
        List<StatusRow> telling = appservers.stream().filter(StatusRow::tells).toList();
        JsonNode newest = telling.stream()
                .filter(row -> row.certificate() > 0)
                .max(Comparator.comparingLong(StatusRow::certificate))
                .map(row -> newest(http, timeout, row.address()))
                .orElse(MissingNode.getInstance());
        List<CompletableFuture<BftserverRow>> asked = descriptor.nodes(Role.BFTSERVER).stream()
                .map(node -> CompletableFuture.supplyAsync(() -> look(node, telling, newest, timeout, run)))
                .toList();
        return asked.stream().map(CompletableFuture::join).toList();
    }

    private static BftserverRow look(
            NodeDescription node, List<StatusRow> telling, JsonNode newest, Duration timeout, Path run) {
        long linked = telling.stream()
                .filter(row -> StreamSupport.stream(row.status().path("linked").spliterator(), false)
                        .anyMatch(name -> name.asText().equals(node.id().toString())))
                .count();
        State state = linked > 0 ? State.LINKED : accepts(node, timeout) ? State.LISTENS : State.UNREACHABLE;
        boolean signed = StreamSupport.stream(newest.path("signatures").spliterator(), false)
                .anyMatch(one -> one.path("replica").asInt(-1) == node.id().index());
        return new BftserverRow(
                node, state, linked, telling.size(), newest.path("number").asLong(), signed, process(node, run));
    }

    private static JsonNode newest(HttpClient http, Duration timeout, URI appserver) {
        return ServerHttp.json(http, appserver.resolve("/v1/certificates/newest"), timeout)
                .join();
    }

    private static boolean accepts(NodeDescription node, Duration timeout) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(node.host(), node.linkPort()), Math.toIntExact(timeout.toMillis()));
            return true;
        } catch (IOException unreachable) {
            return false;
        }
    }

    private static OptionalLong process(NodeDescription node, Path run) {
        try {
            Optional<NodeProcess> process = NodeFiles.running(run, node.id());
            return process.map(one -> OptionalLong.of(one.pid())).orElse(OptionalLong.empty());
        } catch (IOException notKnown) {
            return OptionalLong.empty();
        }
    }

    /** The lines of a table for people, the header first. */
    static List<String> lines(List<BftserverRow> rows) {
        return StatusTable.table(
                List.of("BFTSERVER", "STATE", "LINKED", "SIGNED NEWEST", "PROCESS"),
                rows.stream().map(BftserverRow::cells).toList(),
                2);
    }

    private List<String> cells() {
        return List.of(
                node.id().toString(),
                state.toString(),
                linkedBy + " of " + asked,
                certificate == 0 ? "-" : signed ? "yes" : "not needed",
                process.isPresent() ? Long.toString(process.getAsLong()) : "-");
    }

    ObjectNode json() {
        ObjectNode row = JSON.createObjectNode()
                .put("server", node.id().toString())
                .put("state", state.toString())
                .put("linked_by", linkedBy)
                .put("asked", asked);
        if (certificate > 0) {
            row.put("certificate", certificate).put("signed", signed);
        }
        process.ifPresent(pid -> row.put("pid", pid));
        return row;
    }
}
