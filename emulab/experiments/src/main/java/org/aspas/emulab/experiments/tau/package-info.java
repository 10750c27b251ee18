/**
 * Which τ to choose: waiting, latency and exposure over τ, in virtual time, and the smallest τ that makes nobody wait.
 */
@NullMarked
package org.aspas.emulab.experiments.tau;

import org.jspecify.annotations.NullMarked;
