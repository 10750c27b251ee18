package org.aspas.emulab.baselines.shell;

import java.security.SecureRandom;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.crdt.type.DataType;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.workload.ClientSession;
import org.aspas.emulab.workload.StoreSession;
import org.aspas.emulab.workload.Write;

/**
 * A client of a system that certifies nothing: the operations and values of ASPAS's counters and sets, carried in the system's
 * own way. Thread-safe.
 */
public abstract class UncertifiedSession implements StoreSession {
    private static final SecureRandom RANDOM = new SecureRandom();

    /** A name that no other client has; nobody holds its key. */
    protected static ClientId freshName() {
        byte[] name = new byte[PublicKey.LENGTH];
        RANDOM.nextBytes(name);
        return new ClientId(PublicKey.of(name));
    }

    /** Carries an update; done when it is answered. */
    protected abstract CompletionStage<Value> update(String key, DataType type, Operation operation);

    protected abstract CompletionStage<Value> read(String key, DataType type);

    @Override
    public final Write increment(String key, long amount) {
        return Write.uncertified(update(key, DataTypes.PN_COUNTER, Operation.of("increment", Value.of(amount))));
    }

    @Override
    public final Write add(String key, String element) {
        return Write.uncertified(update(key, DataTypes.AW_SET, Operation.of("add", Value.of(element))));
    }

    @Override
    public final CompletionStage<Long> counter(String key) {
        return read(key, DataTypes.PN_COUNTER)
                .thenApply(value -> value instanceof Value.Int number ? number.value() : 0L);
    }

    @Override
    public final CompletionStage<Set<String>> set(String key) {
        return read(key, DataTypes.AW_SET)
                .thenApply(value ->
                        ClientSession.texts(value instanceof Value.Sequence set ? Set.copyOf(set.items()) : Set.of()));
    }

    /** None: such a client checks nothing, unless it says otherwise. */
    @Override
    public long verificationFailures() {
        return 0;
    }
}
