package org.aspas.emulab.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.aspas.appserver.core.state.RetentionLimits;
import org.aspas.appserver.store.Durability;
import org.aspas.emulab.testbed.cluster.StorageOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** How servers that live as long as one process keep what they know. */
final class KeepingOptions {
    @Option(
            names = "--durability",
            paramLabel = "HOW",
            description = "keep the stores of the nodes in files, and let the answers of appservers wait for the disk"
                    + " (sync), for the operating system (os), or for nothing (memory, with files of bftservers only)"
                    + " (default: no files)")
    private @Nullable Durability durability;

    @Mixin
    private RetentionOptions retention = new RetentionOptions();

    /** What answers wait for; null for servers that keep all in memory. */
    @Nullable
    Durability durability() {
        return durability;
    }

    RetentionLimits limits(CommandSpec spec) {
        return retention.limits(spec);
    }

    /** How clusters keep it whose files are in a folder; null for the system's one for temporary files. */
    StorageOptions in(@Nullable Path folder, CommandSpec spec) {
        return new StorageOptions(durability, folder, limits(spec));
    }

    /** The same options for the command line of another process, whose servers keep their records so. */
    List<String> arguments(@Nullable Durability chosen) {
        List<String> arguments = new ArrayList<>(retention.arguments());
        if (chosen != null) {
            arguments.addAll(List.of("--durability", chosen.name().toLowerCase(Locale.ROOT)));
        }
        return List.copyOf(arguments);
    }
}
