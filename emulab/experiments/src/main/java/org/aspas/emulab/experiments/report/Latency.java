package org.aspas.emulab.experiments.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.aspas.emulab.workload.Measures;
import org.aspas.emulab.workload.OperationKind;
import org.aspas.emulab.workload.ToleranceClass;
import org.jspecify.annotations.Nullable;

/**
 * How long operations took.
 *
 * @param update updates and inserts
 * @param readModifyWrite reads with the update that follows, as one operation; null when there was none
 */
public record Latency(
        @JsonUnwrapped Summary all,
        Summary update,
        Summary read,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Summary readModifyWrite) {
    static Latency of(Measures measures, Collection<ToleranceClass> classes) {
        Histogram all = new Histogram(3);
        Map<OperationKind, Histogram> kinds = new EnumMap<>(OperationKind.class);
        for (OperationKind kind : OperationKind.values()) {
            Histogram sum = new Histogram(3);
            classes.forEach(tolerance -> sum.add(measures.latency(tolerance, kind)));
            kinds.put(kind, sum);
            all.add(sum);
        }
        Summary modified = summary(kinds, OperationKind.READ_MODIFY_WRITE);
        return new Latency(
                Summary.ofMicros(all),
                summary(kinds, OperationKind.UPDATE),
                summary(kinds, OperationKind.READ),
                modified.count() == 0 ? null : modified);
    }

    private static Summary summary(Map<OperationKind, Histogram> kinds, OperationKind kind) {
        return Summary.ofMicros(kinds.getOrDefault(kind, new Histogram(3)));
    }
}
