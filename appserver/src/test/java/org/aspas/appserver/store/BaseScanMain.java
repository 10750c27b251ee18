package org.aspas.appserver.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * How fast the engine alone reads a base, to hold a snapshot against. Arguments: the directory {@code DIR/data/appserver-I/base} of a
 * server that has ended, and how often to read it. Prints a line for each time.
 */
final class BaseScanMain {
    private static final double MB = 1e6;

    private BaseScanMain() {}

    /** See the class. */
    public static void main(String[] arguments) throws IOException {
        Path directory = Path.of(arguments[0]);
        for (int time = 0; time < Integer.parseInt(arguments[1]); time++) {
            long[] read = new long[2];
            long begin = System.nanoTime();
            BaseStore store = BaseStore.openToRead(directory);
            try {
                store.scan(new byte[0], (key, content) -> {
                    read[0]++;
                    read[1] += key.length + content.length;
                    return true;
                });
            } finally {
                store.close();
            }
            double seconds = (System.nanoTime() - begin) / 1e9;
            System.out.printf(
                    Locale.ROOT,
                    "%,d pairs, %.1f MB in %.3f s: %,.0f pairs/s, %.1f MB/s%n",
                    read[0],
                    read[1] / MB,
                    seconds,
                    read[0] / seconds,
                    read[1] / MB / seconds);
        }
    }
}
