package org.aspas.emulab.experiments.plan;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.aspas.emulab.sim.yaml.MalformedFileException;
import org.aspas.emulab.sim.yaml.YamlValue;
import org.aspas.emulab.workload.ToleranceMix;
import org.jspecify.annotations.Nullable;

/** Reads how clients load what a part runs. */
final class LoadReader {
    static final Set<String> KEYS = Set.of("rate", "open_updates", "tau");

    private static final int MOST_PER_SECOND = 1_000_000;
    private static final int MOST_OPEN = 1000;
    private static final int ALL_PERCENT = 100;

    private LoadReader() {}

    static StepLoad load(Map<String, YamlValue> fields, Substrate substrate) throws MalformedFileException {
        for (String key : KEYS) {
            YamlValue value = fields.get(key);
            if (value != null && substrate == Substrate.SIMULATOR) {
                throw value.mistake(key + " is for parts on sockets");
            }
        }
        YamlValue rate = fields.get("rate");
        YamlValue open = fields.get("open_updates");
        if (rate != null && open != null) {
            throw open.mistake("rate opens as many operations as it takes: leave open_updates out");
        }
        return new StepLoad(
                rate == null ? 0 : rate.number(1, MOST_PER_SECOND),
                open == null ? 1 : (int) open.whole(1, MOST_OPEN),
                tau(fields.get("tau")));
    }

    private static Map<String, Integer> tau(@Nullable YamlValue value) throws MalformedFileException {
        Map<String, Integer> shares = new TreeMap<>();
        if (value == null) {
            return shares;
        }
        for (Map.Entry<String, YamlValue> share : value.fields().entrySet()) {
            shares.put(share.getKey(), (int) share.getValue().whole(1, ALL_PERCENT));
        }
        try {
            return new ToleranceMix(shares).percents();
        } catch (IllegalArgumentException wrong) {
            throw value.mistake("tau: " + wrong.getMessage());
        }
    }
}
