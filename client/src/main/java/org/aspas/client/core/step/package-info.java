/**
 * What every part of the client uses in a step: {@link org.aspas.client.core.step.Step} has the time and collects the
 * effects, {@link org.aspas.client.core.step.Servers} knows the present server and what speaks against each one, {@link
 * org.aspas.client.core.step.Identity} signs what the client says and names what it asks.
 *
 * <p>A part that finds a reason to leave the server only notes it in the step. {@code ClientCore} acts upon it at the end,
 * when all parts have seen the event.
 */
@NullMarked
package org.aspas.client.core.step;

import org.jspecify.annotations.NullMarked;
