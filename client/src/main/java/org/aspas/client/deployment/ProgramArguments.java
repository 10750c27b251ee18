package org.aspas.client.deployment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The arguments of this process as they were given. Java decodes them by the charset of the locale and puts U+FFFD in the place of every
 * byte that it cannot decode, so that two keys could become one. The system still has the bytes, as UTF-8 or not.
 */
public final class ProgramArguments {
    private static final Path RAW = Path.of("/proc/self/cmdline");
    private static final char REPLACEMENT = '\ufffd';

    private ProgramArguments() {}

    /**
     * The arguments, decoded strictly as UTF-8, whatever the locale is. Where the system does not tell the bytes, they are as Java has
     * them, and one with U+FFFD in it is refused, for it may stand for anything.
     *
     * @param decoded what Java gave to {@code main}
     * @throws IllegalArgumentException with one line for people, when one is not UTF-8
     */
    public static String[] exact(String[] decoded) {
        return exact(decoded, raw());
    }

    /** {@code raw}: all words of the process, each ended by a zero byte, of which the arguments are the last; empty if unknown. */
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
