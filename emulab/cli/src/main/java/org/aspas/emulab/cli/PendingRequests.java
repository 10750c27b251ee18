package org.aspas.emulab.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.journal.file.DirectoryFiles;
import org.aspas.certify.journal.file.DirectoryInUseException;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Signed;
import org.aspas.client.api.ClientRecord;
import org.aspas.client.core.ClientState;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Printable;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;

/**
 * What the starts of a client left in their records: signed requests that no verified certificate covers, as far as the client
 * has heard. A record that a running client holds is left out, and counted.
 */
final class PendingRequests {
    private static final int NAME_DIGITS = 8;

    private final Path first;
    private final Hash deployment;
    private final String client;
    private int inUse;

    PendingRequests(DeploymentDirectory directory, String client) throws DeploymentDirectory.UnusableDirectory {
        this.first = directory.clientPath(client, ".state");
        this.deployment = directory.descriptor().id();
        this.client = client;
    }

    /**
     * One request.
     *
     * @param name the beginning of its hash, which names it
     */
    record Pending(String name, Request request) {
        static Pending of(Signed<ClientSigned> signed) {
            return new Pending(signed.identity().toString().substring(0, NAME_DIGITS), (Request) signed.message());
        }

        /** When the command that signed it began. */
        Instant since() {
            return Instant.EPOCH
                    .plus(request.client().opened(), ChronoUnit.MICROS)
                    .truncatedTo(ChronoUnit.SECONDS);
        }

        /** What it does, such as {@code increment 5}. */
        String operation() {
            return request.operation().name()
                    + request.operation().arguments().stream()
                            .map(value -> " "
                                    + (request.type().equals(DataTypes.AW_SET.name())
                                            ? ElementArgument.words(value)
                                            : Printable.text(value.toString())))
                            .collect(Collectors.joining());
        }
    }

    String client() {
        return client;
    }

    /** How many records the last reading left out, because running clients hold them. */
    int inUse() {
        return inUse;
    }

    /**
     * Reads the records.
     *
     * @return the requests, oldest first; a request that two records hold is one
     * @throws IOException when a record is damaged or cannot be read
     */
    List<Pending> read() throws IOException {
        Map<Hash, Signed<ClientSigned>> all = new LinkedHashMap<>();
        each(record -> record.state()
                .orElse(ClientState.FRESH)
                .unconfirmed()
                .forEach(request -> all.putIfAbsent(request.identity(), request)));
        List<Pending> pending = new ArrayList<>();
        all.values().forEach(signed -> pending.add(Pending.of(signed)));
        pending.sort(Comparator.comparing((Pending one) -> one.request().client())
                .thenComparing(one -> one.request().number()));
        return pending;
    }

    /**
     * Takes requests out of the records. Nobody signs under their numbers again: each start of a client has its own.
     *
     * @throws IOException when a record is damaged or cannot be written
     */
    void drop(Predicate<Pending> unwanted) throws IOException {
        each(record -> {
            ClientState state = record.state().orElse(ClientState.FRESH);
            record.save(new ClientState(
                    state.certificate(),
                    state.unconfirmed().stream()
                            .filter(signed -> !unwanted.test(Pending.of(signed)))
                            .toList()));
        });
    }

    private interface Visit {
        void of(ClientRecord record) throws IOException;
    }

    private void each(Visit visit) throws IOException {
        inUse = 0;
        ClientRecord.refuseFormer(first);
        for (Path directory : ClientRecord.directories(first)) {
            try (ClientRecord record =
                    ClientRecord.open(DirectoryFiles.open(directory), deployment, ClientRecord.LIMITS)) {
                visit.of(record);
            } catch (DirectoryInUseException running) {
                inUse++;
            }
        }
    }
}
