package org.aspas.client.deployment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Recovers the exact arguments of this process. Java decodes them in the locale's charset and replaces every undecodable byte with
 * U+FFFD, so two different keys could become the same text. The operating system still has the original bytes.
 */
public final class ProgramArguments {
    private static final Path RAW = Path.of("/proc/self/cmdline");
    private static final char REPLACEMENT = '\ufffd';

    private ProgramArguments() {}

    /**
     * Returns the arguments, decoded strictly as UTF-8 whatever the locale is. On systems that do not expose the bytes, Java's decoding is
     * used, and an argument that contains U+FFFD is refused because its original bytes are unknown.
     *
     * @param decoded the arguments of {@code main}
     * @throws IllegalArgumentException when an argument is not UTF-8; the message is one line for people
     */
    public static String[] exact(String[] decoded) {
        return exact(decoded, raw());
    }

    /** {@code raw}: the command line of the process, each item ended by a zero byte, with the arguments last; empty if unknown. */
    static String[] exact(String[] decoded, byte[] raw) {
        List<byte[]> words = words(raw);
        boolean known = words.size() > decoded.length;
        int before = words.size() - decoded.length;
        String[] exact = new String[decoded.length];
        for (int i = 0; i < decoded.length; i++) {
            Optional<String> text = known
                    ? TextFile.decode(words.get(before + i))
                    : Optional.of(decoded[i]).filter(one -> one.indexOf(REPLACEMENT) < 0);
            int place = i + 1;
            exact[i] = text.orElseThrow(() -> new IllegalArgumentException(
                    "argument " + place + " is not UTF-8; give it in UTF-8, whatever the locale"));
        }
        return exact;
    }

    private static byte[] raw() {
        try {
            return Files.readAllBytes(RAW);
        } catch (IOException unknown) {
            return new byte[0];
        }
    }

    private static List<byte[]> words(byte[] raw) {
        List<byte[]> words = new ArrayList<>();
        int begin = 0;
        for (int at = 0; at < raw.length; at++) {
            if (raw[at] == 0) {
                words.add(Arrays.copyOfRange(raw, begin, at));
                begin = at + 1;
            }
        }
        return words;
    }
}
