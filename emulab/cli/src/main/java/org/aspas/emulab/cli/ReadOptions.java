package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.aspas.client.api.ReadLevel;
import org.aspas.client.api.ReadResult;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What a read is to be trusted for. */
final class ReadOptions {
    @Option(names = "--certified", description = "Read the certified value with its proof, not the live one.")
    private boolean certified;

    @Mixin
    private ProofOption proof = new ProofOption();

    /**
     * How to read.
     *
     * @throws IllegalArgumentException when a proof is wanted and there will be none
     */
    ReadLevel level() {
        ReadLevel level = certified ? ReadLevel.CERTIFIED : ReadLevel.LOCAL;
        proof.check(level);
        return level;
    }

    /** Writes the proof if it is wanted, and adds where it is. */
    void prove(ObjectNode out, ReadResult<?> read) throws IOException {
        proof.write(out, read);
    }
}
