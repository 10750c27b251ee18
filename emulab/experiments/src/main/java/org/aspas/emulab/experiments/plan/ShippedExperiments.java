package org.aspas.emulab.experiments.plan;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** The experiments that come with the testbed. Thread-safe. */
public final class ShippedExperiments {
    private static final List<String> NAMES = List.of("paper", "smoke");

    private ShippedExperiments() {}

    /** Their names, in order. */
    public static List<String> names() {
        return NAMES;
    }

    /** The text of an experiment's file; empty for an unknown name. */
    public static Optional<String> file(String name) {
        if (!NAMES.contains(name)) {
            return Optional.empty();
        }
        try (InputStream file = ShippedExperiments.class.getResourceAsStream(name + ".yaml")) {
            if (file == null) {
                throw new IllegalStateException("the file of experiment " + name + " is not in the build");
            }
            return Optional.of(new String(file.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
