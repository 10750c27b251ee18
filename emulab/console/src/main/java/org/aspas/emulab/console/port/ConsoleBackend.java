package org.aspas.emulab.console.port;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import org.aspas.certify.identity.DescriptorFile;
import org.aspas.certify.identity.PublicKey;

/** What a console shows and acts upon. Thread-safe. */
public interface ConsoleBackend {
    DescriptorFile descriptor();

    PublicKey operator();

    /** The encoding of a certificate; empty when it is not here. */
    Optional<byte[]> certificate(long number);

    /**
     * The encoding of a piece of evidence; empty when it is not here.
     *
     * @param hash its hash, 64 lower-case hexadecimal digits
     */
    Optional<byte[]> proof(String hash);

    /**
     * The encoding of a signed verdict, with the findings of f+1 servers, on a piece of evidence that proves nothing without them;
     * empty when it is not here.
     *
     * @param hash the hash of the evidence
     */
    default Optional<byte[]> verdict(String hash) {
        return Optional.empty();
    }

    /** Does an action, and returns one sentence on what is done or begun. */
    String act(String name, ObjectNode body) throws ActionRefused;
}
