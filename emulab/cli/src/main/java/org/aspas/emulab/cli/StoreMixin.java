package org.aspas.emulab.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.aspas.appserver.store.Durability;
import org.aspas.appserver.store.StoreOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** How an appserver keeps its data. */
final class StoreMixin {
    private static final int TIB_IN_MIB = 1 << 20;

    @Option(
            names = "--durability",
            paramLabel = "HOW",
            defaultValue = "sync",
            description = {
                "What answers wait for (default: ${DEFAULT-VALUE}). sync: the disk. os: answers to updates wait for the"
                        + " operating system only; after a power cut the server can no longer sign. memory: nothing is"
                        + " stored, and the key serves for one start only."
            })
    private Durability durability = Durability.SYNC;

    @Option(
            names = "--object-memory",
            paramLabel = "MIB",
            description = "Approximate memory for objects in MiB, 1 to 1048576; the least recently used objects beyond"
                    + " it are on disk only (default: an eighth of the heap).")
    private @Nullable Integer objectMemory;

    StoreOptions in(Path data, CommandSpec spec) {
        Integer mebibytes = objectMemory;
        if (mebibytes == null) {
            return new StoreOptions(data, durability);
        }
        Ranges.check(spec, "--object-memory", mebibytes, 1, TIB_IN_MIB);
        return new StoreOptions(data, durability, (long) mebibytes << 20);
    }

    /** The same options for the command line of another process. */
    List<String> arguments() {
        List<String> arguments =
                new ArrayList<>(List.of("--durability", durability.name().toLowerCase(Locale.ROOT)));
        if (objectMemory != null) {
            arguments.addAll(List.of("--object-memory", objectMemory.toString()));
        }
        return List.copyOf(arguments);
    }
}
