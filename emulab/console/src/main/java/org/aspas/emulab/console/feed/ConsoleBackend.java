package org.aspas.emulab.console.feed;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import org.aspas.certify.identity.DescriptorFile;
import org.aspas.certify.identity.PublicKey;

/** The system behind a console: its data, and the actions on it. Thread-safe. */
public interface ConsoleBackend {
    DescriptorFile descriptor();

    PublicKey operator();

    /** Returns the encoding of a certificate; empty if it is not available. */
    Optional<byte[]> certificate(long number);

    /**
     * Returns the encoding of a piece of evidence; empty if it is not available.
     *
     * @param hash the evidence's hash, 64 lower-case hexadecimal digits
     */
    Optional<byte[]> proof(String hash);

    /**
     * Returns the encoding of a signed verdict with the findings of f+1 servers, for a piece of evidence that proves nothing without
     * them; empty if it is not available.
     *
     * @param hash the hash of the evidence
     */
    default Optional<byte[]> verdict(String hash) {
        return Optional.empty();
    }

    /**
     * Performs or starts an action, and returns one sentence about it.
     *
     * @throws ActionRefused when the action is not available, not possible now or malformed
     */
    String act(String name, ObjectNode body) throws ActionRefused;
}
