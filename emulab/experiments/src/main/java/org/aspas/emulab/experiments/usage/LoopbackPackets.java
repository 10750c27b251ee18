package org.aspas.emulab.experiments.usage;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * How many packets the loopback interface has carried, from Linux's {@code /proc/net/dev}: those of all processes of the
 * network namespace. One packet may be up to 64 KiB, since nothing on the way needs smaller ones.
 */
public final class LoopbackPackets {
    /** Where Linux tells. */
    public static final Path USUAL = Path.of("/proc/net/dev");

    private static final String INTERFACE = "lo:";
    /** After the interface's name, and the bytes received. */
    private static final int RECEIVED = 1;

    private LoopbackPackets() {}

    /** The packets until now; empty where the system does not tell. */
    public static OptionalLong read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.US_ASCII)
                    .lines()
                    .map(String::strip)
                    .filter(line -> line.startsWith(INTERFACE))
                    .map(line -> line.substring(INTERFACE.length()).strip().split(" +", -1))
                    .filter(columns -> columns.length > RECEIVED)
                    .mapToLong(columns -> Long.parseLong(columns[RECEIVED]))
                    .findFirst();
        } catch (IOException | NumberFormatException elsewhereThanLinux) {
            return OptionalLong.empty();
        }
    }
}
