package org.aspas.appserver.core.session;

import java.util.List;
import org.aspas.appserver.core.certification.CertifiedHistory;
import org.aspas.appserver.core.log.Logs;
import org.aspas.appserver.core.state.CorePart;
import org.aspas.appserver.core.state.CoreState;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.LogRoots;
import org.aspas.certify.wire.ObjectProof;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/** Seals what this server answers, and sends it with the newest certificate to whoever has not had that. For one thread. */
final class ResponseSealer extends CorePart {
    private static final int ANSWERS_PER_START_BITS = 40;

    private final Logs logs;
    private final CertifiedHistory history;
    private final ClientLedgers ledgers;
    private long firstAnswer;

    ResponseSealer(CoreState context, Logs logs, CertifiedHistory history, ClientLedgers ledgers) {
        super(context);
        this.logs = logs;
        this.history = history;
        this.ledgers = ledgers;
    }

    /** Makes the sequence numbers of answers higher than those that were given before this many restarts. */
    void startedAgain(long starts) {
        firstAnswer = starts << ANSWERS_PER_START_BITS;
    }

    /** The response to an update or a session record, which names its entry. */
    Signed<Response> update(ClientLedger ledger, Entry entry, long reference, Value result) {
        long sequence = entry.dot().sequence();
        VersionVector version = entry.dependencies().with(settings.index(), sequence);
        return settings.sealer()
                .seal(new Response(
                        settings.index(),
                        firstAnswer + ++ledger.answersGiven,
                        entry.body().message().client(),
                        reference,
                        result,
                        entry.dot(),
                        logs.own().leaf(sequence),
                        version,
                        LogRoots.digest(logs.rootsAt(version)),
                        history.number(),
                        history.digest()));
    }

    Signed<Response> read(
            ClientConnection connection, Read read, Value value, VersionVector version, List<Hash> roots) {
        ClientId reader = connection.client == null ? ClientId.NOBODY : connection.client;
        long sequence = connection.client == null ? 1 : firstAnswer + ++ledgers.of(reader).answersGiven;
        return settings.sealer()
                .seal(new Response(
                        settings.index(),
                        sequence,
                        reader,
                        read.nonce(),
                        value,
                        null,
                        Digests.read(read),
                        version,
                        LogRoots.digest(roots),
                        history.number(),
                        history.digest()));
    }

    void answer(ClientConnection connection, Signed<Response> response, @Nullable ObjectProof proof) {
        // An answer that is given again names the certificate of its own time: another one would not fit it.
        boolean named = response.message().certificateDigest().equals(history.digest());
        outbox.client(connection.id, new Answer(response, named ? unsent(connection) : null, proof));
    }

    /** The newest certificate if the connection has not had it; counts it as sent. */
    private @Nullable Certificate unsent(ClientConnection connection) {
        if (!history.number().isAfter(connection.certificate)) {
            return null;
        }
        connection.certificate = history.number();
        return history.newest().orElse(null);
    }
}
