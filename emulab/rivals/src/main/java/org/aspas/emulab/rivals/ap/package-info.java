/**
 * The available system that ASPAS is measured against: the appserver's shells with the same CRDTs and a causal broadcast, and
 * neither certification nor cryptography (paper §5: "AP"; docs/systems/ap.md).
 *
 * <p>{@link org.aspas.emulab.rivals.ap.CausalMachine} is one server, a pure machine: events in, effects out. {@link
 * org.aspas.emulab.rivals.ap.CausalLogs} holds what each origin entered and delivers it in causal order; {@link
 * org.aspas.emulab.rivals.ap.CausalBroadcast} spreads it in batches, and asks for what is missing.
 */
@NullMarked
package org.aspas.emulab.rivals.ap;

import org.jspecify.annotations.NullMarked;
