package org.aspas.appserver.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The name of the time from one start of the machine to its end: what was written and not forced lasts no longer. */
public final class BootId {
    private static final Path LINUX = Path.of("/proc/sys/kernel/random/boot_id");

    private BootId() {}

    /** That of this machine now; empty when it is not known. */
    public static String now() {
        try {
            return Files.readString(LINUX, StandardCharsets.US_ASCII).strip();
        } catch (IOException unknown) {
            return "";
        }
    }
}
