package org.aspas.emulab.console.feed;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.Map;
import org.aspas.certify.lag.DurationFigures;
import org.aspas.certify.lag.LagStep;

/** Writes the durations of the steps of certification as JSON. */
public final class LagFields {
    private static final double MICROS = 1000;

    private LagFields() {}

    /** Adds all steps to an event; a step that was not observed in the window has no durations. */
    public static void put(ObjectNode event, Map<LagStep, DurationFigures> figures) {
        ArrayNode steps = event.putArray("steps");
        for (LagStep step : LagStep.values()) {
            DurationFigures took = figures.getOrDefault(step, DurationFigures.NONE);
            ObjectNode fields = steps.addObject()
                    .put("step", step.key())
                    .put("label", step.label())
                    .put("seenBy", step.seenBy().name().toLowerCase(Locale.ROOT))
                    .put("count", took.count());
            if (took.count() == 0) {
                fields.putNull("mean").putNull("p50").putNull("p99");
            } else {
                fields.put("mean", millis(took.mean()))
                        .put("p50", millis(took.p50()))
                        .put("p99", millis(took.p99()));
            }
        }
    }

    private static double millis(long micros) {
        return Math.round(micros / MICROS * 10) / 10.0;
    }
}
