package org.aspas.emulab.cli;

import org.aspas.emulab.lab.attack.FloodPlan;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The value of {@code --attack}: who floods, and how. */
final class FloodPlanConverter implements ITypeConverter<FloodPlan> {
    @Override
    public FloodPlan convert(String value) {
        return FloodPlan.named(value)
                .orElseThrow(() -> new TypeConversionException("there is no attack '" + value + "': attacks are "
                        + String.join(", ", FloodPlan.names()) + ", each also with session- before it"));
    }
}
