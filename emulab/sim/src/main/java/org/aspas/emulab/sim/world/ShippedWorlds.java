package org.aspas.emulab.sim.world;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** The worlds that come with the testbed. Thread-safe. */
public final class ShippedWorlds {
    private static final List<String> NAMES = List.of("aws5", "lan", "paper");

    private ShippedWorlds() {}

    /** Their names, in order. */
    public static List<String> names() {
        return NAMES;
    }

    /** The file of a shipped world; empty for a name that none has. */
    public static Optional<String> file(String name) {
        if (!NAMES.contains(name)) {
            return Optional.empty();
        }
        try (InputStream file = ShippedWorlds.class.getResourceAsStream(name + ".yaml")) {
            if (file == null) {
                throw new IllegalStateException("the file of world " + name + " is not in the build");
            }
            return Optional.of(new String(file.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
