//go:build unix

package main

import "syscall"

// ownGroup puts a process and its children into a group of their own.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// endGroup ends whatever is left of that group.
func endGroup(leader int) { syscall.Kill(-leader, syscall.SIGKILL) }
