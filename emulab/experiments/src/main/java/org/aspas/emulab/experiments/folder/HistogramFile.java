package org.aspas.emulab.experiments.folder;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.HdrHistogram.HistogramLogWriter;

/** Histograms by name in the log format of HdrHistogram, which its tools read: a line each, its name as the tag. */
final class HistogramFile {
    private HistogramFile() {}

    static String text(Map<String, Histogram> histograms) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        HistogramLogWriter log = new HistogramLogWriter(out);
        log.outputComment("[microseconds; the tag names what was measured]");
        log.outputLogFormatVersion();
        log.outputLegend();
        new TreeMap<>(histograms).forEach((name, histogram) -> {
            Histogram tagged = histogram.copy();
            tagged.setTag(name.replaceAll("[, \\r\\n]+", "_"));
            log.outputIntervalHistogram(tagged);
        });
        log.close();
        return out.toString(StandardCharsets.UTF_8);
    }

    static Map<String, Histogram> read(Path file) throws IOException {
        Map<String, Histogram> histograms = new TreeMap<>();
        try (var in = Files.newInputStream(file);
                HistogramLogReader log = new HistogramLogReader(in)) {
            for (EncodableHistogram next = log.nextIntervalHistogram();
                    next != null;
                    next = log.nextIntervalHistogram()) {
                if (next instanceof Histogram one && one.getTag() != null) {
                    histograms.put(one.getTag(), one);
                }
            }
        }
        return histograms;
    }
}
