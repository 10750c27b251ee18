package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import org.aspas.client.api.ReadLevel;
import org.aspas.client.api.ReadResult;
import org.aspas.client.core.port.ReadProof;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code --proof}: where what proves a certified value goes. */
final class ProofOption {
    @Option(
            names = "--proof",
            paramLabel = "FILE",
            description =
                    "With --level certified: write here what proves the value. 'aspas certificate verify FILE' verifies it,"
                            + " also elsewhere and offline.")
    private @Nullable Path file;

    /**
     * Whether a read will have a proof, if one is wanted.
     *
     * @throws IllegalArgumentException when there will be no proof
     */
    void check(ReadLevel level) {
        if (file != null && level != ReadLevel.CERTIFIED) {
            throw new IllegalArgumentException("--proof needs --level certified: nothing proves a local read");
        }
    }

    /** Writes the proof, if it is wanted. */
    void write(ObjectNode out, ReadResult<?> read) throws IOException {
        Path wanted = file;
        ReadProof proof = read.proof();
        if (wanted != null && proof != null) {
            OutputFile.write(wanted, proof.toBytes());
            out.put("proof", wanted.toString());
        }
    }
}
