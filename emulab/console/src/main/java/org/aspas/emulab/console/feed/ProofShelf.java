package org.aspas.emulab.console.feed;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Accused;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.Evidence;

/** Keeps pieces of evidence and publishes each once. Thread-safe. */
public final class ProofShelf {
    private static final int MOST = 64;

    private final ConsoleState state;
    private final Map<String, byte[]> encoded = new LinkedHashMap<>();
    private final Map<String, byte[]> verdicts = new HashMap<>();

    public ProofShelf(ConsoleState state) {
        this.state = state;
    }

    /**
     * Takes a piece of evidence, unless 64 are kept already.
     *
     * @param by the node that holds the evidence or sent it
     */
    public synchronized Hash take(Evidence evidence, String by) {
        Hash hash = Digests.evidence(evidence);
        String name = hash.toString();
        if (!encoded.containsKey(name) && encoded.size() < MOST) {
            byte[] bytes = Codec.encode(evidence);
            encoded.put(name, bytes);
            state.publish(
                    "proof",
                    state.timed()
                            .put("hash", name)
                            .put("kind", evidence.kind().name())
                            .put("accused", accused(evidence.accused()))
                            .put("by", by)
                            .put("bytes", bytes.length)
                            .put("url", "api/proofs/" + name));
        }
        return hash;
    }

    /** Keeps the first verdict on a piece of evidence that proves its case only together with servers' findings. */
    public synchronized void found(Evidence evidence, byte[] verdict) {
        if (verdicts.size() < MOST) {
            verdicts.putIfAbsent(Digests.evidence(evidence).toString(), verdict);
        }
    }

    /** Returns the encoding of the signed verdict on a piece of evidence, with the findings; empty if there is none. */
    public synchronized Optional<byte[]> verdict(String hash) {
        return Optional.ofNullable(verdicts.get(hash));
    }

    private static String accused(Accused accused) {
        return accused instanceof Accused.Server server
                ? NodeId.appserver(server.index()).toString()
                : "client " + ((Accused.Client) accused).id();
    }

    /** Returns the encoding of a piece of evidence; empty if it is not kept. */
    public synchronized Optional<byte[]> find(String hash) {
        return Optional.ofNullable(encoded.get(hash));
    }
}
