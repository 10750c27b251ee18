package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Locale;
import java.util.stream.Stream;
import org.aspas.client.api.ReadLevel;
import org.aspas.client.api.ReadResult;
import org.aspas.client.core.ReadProof;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What a read is to be trusted for. */
final class ReadOptions {
    /** The levels as they are written in HTTP. */
    static final class Levels implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Stream.of(ReadLevel.values())
                    .map(level -> level.name().toLowerCase(Locale.ROOT))
                    .iterator();
        }
    }

    @Option(
            names = "--level",
            paramLabel = "local|certified",
            completionCandidates = Levels.class,
            description =
                    "local: the live value, without a proof (default). certified: the certified value with its proof.")
    private ReadLevel level = ReadLevel.LOCAL;

    @Mixin
    private ProofOption proof = new ProofOption();

    /**
     * How to read.
     *
     * @throws IllegalArgumentException when a proof is wanted and there will be none
     */
    ReadLevel level() {
        proof.check(level);
        return level;
    }

    /** Writes the proof if it is wanted, and adds where it is. */
    void prove(ObjectNode out, ReadResult<?> read) throws IOException {
        proof.write(out, read);
    }

    /** {@code --proof}: where what proves a certified value goes. */
    private static final class ProofOption {
        @Option(
                names = "--proof",
                paramLabel = "FILE",
                description = "With --level certified: write the proof of the value to this file. 'aspas certificate"
                        + " verify FILE' verifies it anywhere, even offline.")
        private @Nullable Path file;

        /**
         * Whether a read will have a proof, if one is wanted.
         *
         * @throws IllegalArgumentException when there will be no proof
         */
        void check(ReadLevel level) {
            if (file != null && level != ReadLevel.CERTIFIED) {
                throw new IllegalArgumentException("--proof needs --level certified: a local read has no proof");
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
}
