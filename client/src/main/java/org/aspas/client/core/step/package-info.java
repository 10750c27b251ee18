/**
 * What every part of the client uses in a step: {@link org.aspas.client.core.step.Step} has the time and collects the
 * effects, {@link org.aspas.client.core.step.Servers} knows the present server and what speaks against each one, {@link
 * org.aspas.client.core.step.Identity} signs what the client says and names what it asks. {@link
 * org.aspas.client.core.step.SwitchBudget} bounds what switches for doubt may cost.
 *
 * <p>The client's record is what a run leaves for the next ({@link org.aspas.client.core.port.ClientState}). A part that
 * changes it says so to the step before it adds what rests on the change. The step holds that back until the record is
 * durable.
 *
 * <p>A part that finds a reason to leave the server only notes it in the step. {@code ClientCore} acts upon it at the end,
 * when all parts have seen the event.
 */
@NullMarked
package org.aspas.client.core.step;

import org.jspecify.annotations.NullMarked;
