package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Iterator;
import java.util.Locale;
import java.util.stream.Stream;
import org.aspas.client.api.ReadLevel;
import org.aspas.client.api.ReadResult;
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
            description = "local: the live value, which nothing proves (default). certified: the certified value with"
                    + " its proof.")
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
}
